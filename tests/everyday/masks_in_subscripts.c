/* Subscripts, conditions and bounds with bits that constants pick, set or turn. */
#include "data.h"

/* Half as many colours as lights, two of them beside each other. */
void colours(const uint8_t *light, const uint8_t *uv, uint8_t *out, int w, int h, int ls, int cs)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int d = uv[(y >> 1) * cs + (x & ~1)] - 128, e = uv[(y >> 1) * cs + (x | 1)] - 128;
            int v = light[y * ls + x] + (d * 3 + e * 5) / 8;
            out[y * w + x] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
#pragma endscop
}

/* Each with its neighbour in a pair. */
void butterfly(const float *a, float *b, unsigned n)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        b[i] = a[i] + (i & 1 ? -a[i ^ 1] : a[i ^ 1]);
#pragma endscop
}

/* Blocks of eight have the value of their corner. */
void blocks(const uint8_t *in, uint8_t *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = in[(y & ~7) * w + (x & ~7)];
#pragma endscop
}

/* The first of four is added to all of them, in place. */
void first_of_four(int *a, size_t n)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        a[i] += a[i & ~(size_t)3] + (int)(i & 6);
#pragma endscop
}

void swap_pairs(uint16_t *p, int n)
{
#pragma scop
    for (int i = 0; i < (n & ~1); i += 2) {
        uint16_t t = p[i];
        p[i] = p[i | 1];
        p[i | 1] = t;
    }
#pragma endscop
}

/* A checkered board, from below zero on. */
void board(uint8_t *cell, int n)
{
#pragma scop
    for (int y = -n; y < n; y++)
        for (int x = -n; x < n; x++)
            cell[(y + n) * 2 * n + x + n] = ((y & 4) ^ (x & 4)) ? (y ^ 1) & 255 : (x | 3) & 255;
#pragma endscop
}

/* From where a line of four begins to where it ends. */
void lines_of_four(const int *a, long *sum, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        long s = 0;
        for (int j = i & ~3; j <= (i | 3); j++)
            s += a[j];
        sum[i] = s;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        int h = n / 2 + 1;
        uint8_t *light = data_bytes((size + 1) * h), *uv = data_bytes((size + 2) * (h + 2));
        uint8_t *out = calloc(size * h + 1, 1), *cell = calloc(4 * size * size + 1, 1);
        float *f = data_floats(size + 2), *g = calloc(size + 2, sizeof *g);
        int *a = data_ints(size + 4, 1000);
        uint16_t *p = data_bytes(2 * size);
        long *sum = calloc(size + 1, sizeof *sum);
        colours(light, uv, out, n, h, n + 1, n + 2);
        data_show("colours", n, out, size * h);
        butterfly(f, g, n);
        data_show("butterfly", n, g, size * sizeof *g);
        blocks(light, out, n, h);
        data_show("blocks", n, out, size * h);
        lines_of_four(a, sum, n);
        data_show("lines", n, sum, size * sizeof *sum);
        first_of_four(a, size);
        data_show("four", n, a, size * sizeof *a);
        swap_pairs(p, n);
        data_show("pairs", n, p, 2 * size);
        board(cell, n);
        data_show("board", n, cell, 4 * size * size);
        /* Memory that overlaps. */
        blocks(out, out, n, h);
        butterfly(f, f + 1, n);
        data_show("overlapping", n, out, size * h);
        data_show("overlapping", n, f, (size + 1) * sizeof *f);
        free(light), free(uv), free(out), free(cell), free(f), free(g), free(a), free(p), free(sum);
    }
}
