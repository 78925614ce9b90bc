/* A step of life on a torus. */
#include "data.h"

void step(int h, int w, const unsigned char *old, unsigned char *new)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int up = (y + h - 1) % h, down = (y + 1) % h;
            int left = (x + w - 1) % w, right = (x + 1) % w;
            int n = old[up * w + left] + old[up * w + x] + old[up * w + right]
                  + old[y * w + left] + old[y * w + right]
                  + old[down * w + left] + old[down * w + x] + old[down * w + right];
            new[y * w + x] = n == 3 || (n == 2 && old[y * w + x]);
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n + 1, w = n + 2;
        unsigned char *old = data_bytes(h * w), *new = data_bytes(h * w);
        for (int i = 0; i < h * w; i++)
            old[i] &= 1;
        step(h, w, old, new);
        data_show("life", n, new, h * w);
    }
}
