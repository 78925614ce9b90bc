/* Pictures whose colours have half the rows and columns, sizes that are shifted, and blocks of sparse
 * matrices. */
#include "data.h"

/* Colours from three planes. */
void colours(const unsigned char *luma, const unsigned char *blue, const unsigned char *red,
             unsigned char *rgb, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int at = (y >> 1) * (w >> 1) + (x >> 1);
            int l = luma[y * w + x] * 298, u = blue[at] - 128, v = red[at] - 128;
            int r = (l + 409 * v) >> 8, g = (l - 100 * u - 208 * v) >> 8, b = (l + 516 * u) >> 8;
            rgb[3 * (y * w + x)] = r < 0 ? 0 : r > 255 ? 255 : r;
            rgb[3 * (y * w + x) + 1] = g < 0 ? 0 : g > 255 ? 255 : g;
            rgb[3 * (y * w + x) + 2] = b < 0 ? 0 : b > 255 ? 255 : b;
        }
#pragma endscop
}

/* Planes of half the size, rounded up. */
void halved(const unsigned char *in, unsigned char *out, int w, int h)
{
    int hw = (w + 1) >> 1, hh = (h + 1) >> 1;
#pragma scop
    for (int y = 0; y < hh; y++)
        for (int x = 0; x < hw; x++) {
            int right = 2 * x + 1 < w ? 2 * x + 1 : 2 * x;
            int below = 2 * y + 1 < h ? 2 * y + 1 : 2 * y;
            out[y * hw + x] = (in[2 * y * w + 2 * x] + in[2 * y * w + right] + in[below * w + 2 * x] +
                               in[below * w + right] + 2) >> 2;
        }
#pragma endscop
}

/* Rows from both ends of a range that may lie below zero. */
void around(int *cells, const int *steps, int from, int n)
{
    int half = from >> 2;
#pragma scop
    for (int i = half; i < n; i++)
        cells[i - half] += steps[(i - half) >> 1] * half;
    for (int i = 0; i < (n >> 1); i++)
        cells[i] -= cells[(n >> 1) + i] + (from >> 1) + from / 2;
#pragma endscop
}

/* A strength for each block of 4 by 4. */
void filter(unsigned char *img, int w, int h, int stride, const unsigned char *strength)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int e = 4; e < w - 3; e += 4) {
            unsigned char *p = img + (long)y * stride + e;
            int s = strength[(y >> 2) * (w >> 2) + (e >> 2)];
            if (s == 0)
                continue;
            int delta = (p[0] - p[-1]) >> s;
            p[-1] += delta;
            p[0] -= delta;
        }
#pragma endscop
}

/* A matrix of blocks times a vector. */
void blocks(size_t rows, const int *first, const int *column, const double (*block)[2][2],
            const double *x, double *y)
{
#pragma scop
    for (size_t r = 0; r < rows; r++) {
        double y0 = 0, y1 = 0;
        for (int p = first[r]; p < first[r + 1]; p++) {
            const double *own = x + 2 * column[p];
            for (int c = 0; c < 2; c++) {
                y0 += block[p][0][c] * own[c];
                y1 += block[p][1][c] * own[c];
            }
        }
        y[2 * r] = y0;
        y[2 * r + 1] = y1;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int w = n + 3, h = n / 2 + 2;
        size_t all = (size_t)(w + 8) * (h + 8);
        unsigned char *a = data_bytes(all), *b = data_bytes(all), *c = data_bytes(all), *out = calloc(all, 3);
        colours(a, b, c, out, w & ~1, h & ~1);
        data_show("colours", n, out, 3 * all);
        colours(a, b, c, c + all / 2, w / 4 & ~1, h / 4 & ~1);
        data_show("colours in place", n, c, all);
        halved(a, out, w, h);
        data_show("halved", n, out, all);
        halved(a, a, w, h);
        data_show("halved in place", n, a, all);
        for (size_t k = 0; k < all; k++)
            c[k] &= 3;
        filter(b, w, h, w + 2, c);
        data_show("filter", n, b, all);
        filter(c, w, h, w, c + 5);
        data_show("filter over itself", n, c, all);
        for (int from = -9; from < 10; from += 3) {
            int *cells = data_ints(4 * n + 40, 100), *steps = data_ints(2 * n + 40, 100);
            around(cells, steps, from, n + 2);
            data_show("around", from, cells, (4 * n + 40) * sizeof *cells);
        }
        int *first = calloc(n + 2, sizeof *first), *column = data_ints(3 * n + 8, n > 0 ? n : 1);
        for (int i = 0; i <= n; i++)
            first[i + 1] = first[i] + (i * 7 + 3) % 4;
        first[n] = first[n] > 3 * n ? 3 * n : first[n];
        for (int i = n; i > 0; i--)
            if (first[i - 1] > first[i])
                first[i - 1] = first[i];
        double *values = data_doubles(4 * (3 * n + 8)), *x = data_doubles(2 * n + 8), *y = calloc(2 * n + 8, sizeof *y);
        blocks(n, first, column, (void *)values, x, y);
        data_show("blocks", n, y, (2 * n + 8) * sizeof *y);
        blocks(n / 2, first, column, (void *)values, x, x + 1);
        data_show("blocks over what they read", n, x, (2 * n + 8) * sizeof *x);
    }
    return 0;
}
