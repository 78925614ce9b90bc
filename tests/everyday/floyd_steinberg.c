/* Error diffusion to black and white. */
#include "data.h"

void dither(int h, int w, int img[restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int old = img[y][x];
            int new = old < 128 ? 0 : 255;
            int err = old - new;
            img[y][x] = new;
            if (x + 1 < w)
                img[y][x + 1] += err * 7 / 16;
            if (y + 1 < h) {
                if (x > 0)
                    img[y + 1][x - 1] += err * 3 / 16;
                img[y + 1][x] += err * 5 / 16;
                if (x + 1 < w)
                    img[y + 1][x + 1] += err / 16;
            }
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n + 2, w = n + 1;
        int *img = data_ints(h * w, 256);
        dither(h, w, (void *)img);
        data_show("dither", n, img, sizeof(int) * h * w);
    }
}
