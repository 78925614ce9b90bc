/* Bilinear resize of one channel in fixed point. */
#include "data.h"

void resize(int sh, int sw, const uint8_t src[restrict sh][sw], int dh, int dw,
            uint8_t dst[restrict dh][dw])
{
#pragma scop
    for (int y = 0; y < dh; y++) {
        int fy = (int)((long)y * (sh - 1) * 256 / (dh > 1 ? dh - 1 : 1));
        int y0 = fy >> 8, wy = fy & 255;
        int y1 = y0 + 1 < sh ? y0 + 1 : y0;
        for (int x = 0; x < dw; x++) {
            int fx = (int)((long)x * (sw - 1) * 256 / (dw > 1 ? dw - 1 : 1));
            int x0 = fx >> 8, wx = fx & 255;
            int x1 = x0 + 1 < sw ? x0 + 1 : x0;
            int top = src[y0][x0] * (256 - wx) + src[y0][x1] * wx;
            int bottom = src[y1][x0] * (256 - wx) + src[y1][x1] * wx;
            dst[y][x] = (uint8_t)((top * (256 - wy) + bottom * wy + 32768) >> 16);
        }
    }
#pragma endscop
}

/* The same with steps in 16 bits of fraction, behind plain pointers. */
void resize_by_steps(const uint8_t *src, int sw, int sh, uint8_t *dst, int dw, int dh)
{
    const int xstep = dw > 1 ? ((sw - 1) << 16) / (dw - 1) : 0;
    const int ystep = dh > 1 ? ((sh - 1) << 16) / (dh - 1) : 0;
    int fy = 0;
#pragma scop
    for (int y = 0; y < dh; y++, fy += ystep) {
        int sy = fy >> 16, wy = (fy >> 8) & 255;
        int below = sy + 1 < sh ? sy + 1 : sy;
        const uint8_t *upper = src + sy * sw, *lower = src + below * sw;
        int fx = 0;
        for (int x = 0; x < dw; x++) {
            int sx = fx >> 16, wx = (fx >> 8) & 255;
            int right = sx + 1 < sw ? sx + 1 : sx;
            int top = upper[sx] * (256 - wx) + upper[right] * wx;
            int bottom = lower[sx] * (256 - wx) + lower[right] * wx;
            dst[y * dw + x] = (uint8_t)((top * (256 - wy) + bottom * wy + 32768) >> 16);
            fx += xstep;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int sh = n + 1, sw = n + 2, dh = 2 * n, dw = n + 5;
        uint8_t *src = data_bytes(sh * sw), *dst = data_bytes(dh * dw);
        resize(sh, sw, (void *)src, dh, dw, (void *)dst);
        data_show("resize", n, dst, dh * dw);
        resize_by_steps(src, sw, sh, dst, dw, dh);
        data_show("resize_by_steps", n, dst, dh * dw);
        /* What is written is read next. */
        resize_by_steps(dst + 1, n / 2, n / 2, dst, n, n);
        data_show("resize_by_steps over itself", n, dst, dh * dw);
    }
}
