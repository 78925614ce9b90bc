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

int main(void)
{
    DATA_EACH(n) {
        int sh = n + 1, sw = n + 2, dh = 2 * n, dw = n + 5;
        uint8_t *src = data_bytes(sh * sw), *dst = data_bytes(dh * dw);
        resize(sh, sw, (void *)src, dh, dw, (void *)dst);
        data_show("resize", n, dst, dh * dw);
    }
}
