/* Pointers that move along. */
#include "data.h"

void invert(uint8_t *dst, const uint8_t *src, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        *dst = 255 - *src;
        dst++;
        src++;
    }
#pragma endscop
}

void halves(const short *frames, short *left, short *right, int n)
{
    const short *p = frames;
#pragma scop
    for (int i = 0; i < n; i++) {
        left[i] = p[0];
        right[i] = p[1];
        p += 2;
    }
#pragma endscop
}

void flip(const uint8_t *in, uint8_t *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const uint8_t *s = in + y * w + w - 1;
        uint8_t *d = out + y * w;
        for (int x = 0; x < w; x++) {
            *d = *s;
            d++;
            s--;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *a = data_bytes(n * (n + 1)), *b = data_bytes(n * (n + 1));
        invert(b, a, n);
        data_show("invert", n, b, n);
        flip(a, b, n + 1, n);
        data_show("flip", n, b, n * (n + 1));
        short *f = data_bytes(4 * n), *l = data_bytes(2 * n), *r = data_bytes(2 * n);
        halves(f, l, r, n);
        data_show("left", n, l, 2 * n);
        data_show("right", n, r, 2 * n);
    }
}
