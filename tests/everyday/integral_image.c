/* Sums over all rectangles that begin at the corner. */
#include "data.h"

void integral(int h, int w, const uint8_t img[restrict h][w], uint32_t sat[restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++) {
        uint32_t row = 0;
        for (int x = 0; x < w; x++) {
            row += img[y][x];
            sat[y][x] = row + (y > 0 ? sat[y - 1][x] : 0);
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n + 1, w = 2 * n + 1;
        uint8_t *img = data_bytes(h * w);
        uint32_t *sat = data_bytes(4 * h * w);
        integral(h, w, (void *)img, (void *)sat);
        data_show("integral", n, sat, 4 * h * w);
    }
}
