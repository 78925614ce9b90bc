/* Pictures upside down and left to right: pixels are structures that are swapped as a whole. */
#include "data.h"

typedef struct { unsigned char r, g, b; } rgb_t;

void flip(int h, int w, rgb_t p[restrict h][w])
{
#pragma scop
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w; x++) {
            rgb_t t = p[y][x];
            p[y][x] = p[h - 1 - y][x];
            p[h - 1 - y][x] = t;
        }
#pragma endscop
}

void mirror(int h, int w, rgb_t p[restrict h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w / 2; x++) {
            rgb_t left = p[y][x], right = p[y][w - 1 - x];
            p[y][x] = right;
            p[y][w - 1 - x] = left;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        rgb_t *p = data_bytes(sizeof(rgb_t) * n * (n + 3));
        flip(n, n + 3, (rgb_t (*)[n + 3])p);
        data_show("flip", n, p, sizeof(rgb_t) * n * (n + 3));
        mirror(n, n + 3, (rgb_t (*)[n + 3])p);
        data_show("mirror", n, p, sizeof(rgb_t) * n * (n + 3));
    }
}
