/* Edges of a grey picture: magnitude by absolute values, saturated. */
#include "data.h"

void sobel(int h, int w, const uint8_t in[restrict h][w], uint8_t out[restrict h][w])
{
#pragma scop
    for (int y = 1; y < h - 1; y++) {
        for (int x = 1; x < w - 1; x++) {
            int gx = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1]
                   - in[y - 1][x - 1] - 2 * in[y][x - 1] - in[y + 1][x - 1];
            int gy = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1]
                   - in[y - 1][x - 1] - 2 * in[y - 1][x] - in[y - 1][x + 1];
            int m = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
            if (m > 255)
                m = 255;
            out[y][x] = (uint8_t)m;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n + 1, w = n + 3;
        uint8_t *in = data_bytes(h * w), *out = data_bytes(h * w);
        sobel(h, w, (void *)in, (void *)out);
        data_show("sobel", n, out, h * w);
    }
}
