/* A 3 x 3 mean whose borders repeat the last pixel. */
#include "data.h"

static int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }

void box_blur(const unsigned char *restrict src, unsigned char *restrict dst, int width, int height)
{
#pragma scop
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            unsigned sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += src[clamp(y + dy, 0, height - 1) * width + clamp(x + dx, 0, width - 1)];
            dst[y * width + x] = (sum + 4) / 9;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int w = n, h = n / 2 + 1;
        unsigned char *src = data_bytes(w * h), *dst = data_bytes(w * h);
        box_blur(src, dst, w, h);
        data_show("box_blur", n, dst, w * h);
    }
}
