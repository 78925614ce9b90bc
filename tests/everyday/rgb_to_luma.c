/* Brightness of interleaved RGB, in integers as in BT.601. */
#include "data.h"

void rgb_to_luma(const unsigned char *restrict rgb, unsigned char *restrict out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = rgb[3 * i];
        int g = rgb[3 * i + 1];
        int b = rgb[3 * i + 2];
        int y = 66 * r + 129 * g + 25 * b + 128;
        int shifted = (y >> 8) + 16;
        out[i] = shifted;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned char *rgb = data_bytes(3 * n), *out = data_bytes(n);
        rgb_to_luma(rgb, out, n);
        data_show("rgb_to_luma", n, out, n);
    }
}
