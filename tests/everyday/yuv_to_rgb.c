/* Planar YUV 4:2:0 to interleaved RGB. */
#include "data.h"

static inline uint8_t clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

void yuv_to_rgb(int h, int w, const uint8_t *restrict y, const uint8_t *restrict u,
                const uint8_t *restrict v, uint8_t *restrict rgb)
{
    int cw = (w + 1) / 2;
#pragma scop
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++) {
            int l = 298 * (y[r * w + c] - 16);
            int d = u[(r / 2) * cw + c / 2] - 128;
            int e = v[(r / 2) * cw + c / 2] - 128;
            rgb[3 * (r * w + c) + 0] = clip((l + 409 * e + 128) >> 8);
            rgb[3 * (r * w + c) + 1] = clip((l - 100 * d - 208 * e + 128) >> 8);
            rgb[3 * (r * w + c) + 2] = clip((l + 516 * d + 128) >> 8);
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n, w = n + 3, cw = (w + 1) / 2, ch = (h + 1) / 2;
        uint8_t *y = data_bytes(h * w), *u = data_bytes(cw * ch), *v = data_bytes(cw * ch);
        uint8_t *rgb = data_bytes(3 * h * w);
        yuv_to_rgb(h, w, y, u, v, rgb);
        data_show("yuv_to_rgb", n, rgb, 3 * h * w);
    }
}
