#include <stdio.h>

/* The same element, named under conditions that make its subscript simpler in different ways. */
static void cases(int n, const int *restrict x, const int a[restrict 16], int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = x[i];
        if (t > 0) {
            if (i < 8)
                b[i] += a[i & 7];
            else
                b[i] += 2 * a[i & 7] + t;
        } else if (i >= 8)
            b[i] -= a[i & 7];
        if (x[i] == 2 && i > 3)
            b[i] += i > 5 ? a[(i + 1) % 8] : i < 5 ? a[(i + 1) % 8] : 0;
    }
#pragma endscop
}

/* Under a condition that never holds a subscript may be anything. */
static void never(unsigned long n, const float *restrict a, float buffer[restrict 8])
{
    float s = 3;
#pragma scop
    unsigned long w = 0;
    while (w < n) {
        unsigned long t = w & 7;
        if (t == 0) {
            int odd = 255 & 1;
            if (odd == 0)
                buffer[w & 7] += a[w];
        } else if (t != 1)
            buffer[(int)(s > 9 ? 9 : s) & 7] = buffer[w & 7] / 2 + a[w];
        w++;
    }
#pragma endscop
}

/* Rows of a flat image, in one of two directions. */
static void flips(int h, int w, const int *restrict down, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            if (down[y] > 1)
                b[y * w + x] = y < 4 ? a[(y % 4) * w + x] : a[(y % 4) * w + x] - 1;
            else if (y >= 4)
                b[y * w + x] = a[(y % 4) * w + x] + 7;
        }
#pragma endscop
}

int main(void)
{
    int x[40], a[64], b[64] = {0}, down[8] = {0, 2, 1, 3, 2, 0, 2, 5};
    float in[40], buffer[8] = {0};
    for (int i = 0; i < 40; i++) {
        x[i] = i % 4 - 1;
        in[i] = i * 1.5f;
    }
    for (int i = 0; i < 64; i++)
        a[i] = i * i % 37;
    for (int n = 0; n < 40; n += 3) {
        cases(n, x, a, b);
        never(n, in, buffer);
        flips(n / 5, 8, down, a, b);
        for (int i = 0; i < 64; i++)
            printf("%d ", b[i]);
        for (int i = 0; i < 8; i++)
            printf("%g ", buffer[i]);
        printf("\n");
    }
    return 0;
}
