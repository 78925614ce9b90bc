/* Arrays that are written by rows and columns here, and as a whole, by data or by other strides there. */
#include "data.h"

/* On a torus, and copied back. */
void life(char *g, char *next, int w, int h, int turns)
{
#pragma scop
    for (int t = 0; t < turns; t++) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int n = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++)
                        if (dx || dy)
                            n += g[((y + dy + h) % h) * w + (x + dx + w) % w];
                next[y * w + x] = n == 3 || (n == 2 && g[y * w + x]);
            }
        memcpy(g, next, (size_t)w * h);
    }
#pragma endscop
}

/* Columns for a product. */
void convolved(const float *in, int c, int h, int w, const float *weight, int k, float *col, float *out)
{
    int oh = h - k + 1, ow = w - k + 1;
#pragma scop
    for (int ch = 0; ch < c; ch++)
        for (int ky = 0; ky < k; ky++)
            for (int kx = 0; kx < k; kx++) {
                float *to = col + ((ch * k + ky) * k + kx) * oh * ow;
                for (int y = 0; y < oh; y++)
                    for (int x = 0; x < ow; x++)
                        *to++ = in[ch * h * w + (y + ky) * w + x + kx];
            }
    for (int i = 0; i < oh * ow; i++) {
        float s = 0;
        for (int j = 0; j < c * k * k; j++)
            s += weight[j] * col[j * oh * ow + i];
        out[i] = s;
    }
#pragma endscop
}

/* Rows, and places that an index array names. */
void scattered(int *a, const int *at, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] = (a[y * w + x] & 4095) * 3 + y;
    for (int i = 0; i < w; i++)
        a[at[i]] += i;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] ^= x;
#pragma endscop
}

/* Reads of anywhere in the nest that writes rows, which may not run in another order. */
void mixed(int *a, int w, int h, int n)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] = a[(y * 7 + x * 3) % n] + 1;
#pragma endscop
}

/* Writes of anywhere between rows, turn by turn. */
void marked(int *a, const int *at, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++)
            a[y * w + x] += y + x;
        a[at[y]] = -y;
    }
#pragma endscop
}

/* Two kinds of rows in one array. */
void two_widths(int *a, int n, int m, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < n; x++)
            a[y * n + x] = y * 100 + x;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < m; x++)
            a[y * m + x] = 2 * (a[y * m + x] & 4095) + x;
#pragma endscop
}

/* One row wide or none: what has no row is written all the same. */
unsigned narrow(int *a, const int *at, int w, int h, int n)
{
    unsigned s = 0;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            a[y * w + x] = y;
    for (int i = 0; i < n; i++)
        a[at[i]] = (a[at[i]] & 4095) * 2 + i;
    for (int i = 0; i < n; i++)
        s = s * 31 + (unsigned)a[at[i]];
#pragma endscop
    return s;
}

struct sheet { int w, h; float *cell; };

/* Rows of a structure, and the cell behind them. */
void settle(struct sheet *s, int turns)
{
#pragma scop
    for (int t = 0; t < turns; t++) {
        for (int y = 1; y < s->h; y++)
            for (int x = 0; x < s->w; x++)
                s->cell[y * s->w + x] = 0.5f * (s->cell[y * s->w + x] + s->cell[(y - 1) * s->w + x]);
        s->cell[s->w * s->h] = 1;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        int h = n / 3 + 1;
        char *g = calloc(size * 40 + 1, 1), *next = calloc(size * 40 + 1, 1);
        for (int i = 0; i < 9 * n; i++)
            g[i] = i % 3 == 0 || i % 7 == 2;
        life(g, next, n, 9, 3);
        life(g, next, 1, n, 2);
        life(g, next, 0, n, 2);
        data_show("life", n, g, size * 40 + 1);
        float *in = data_floats(size * 30 + 60), *weight = data_floats(64);
        float *col = calloc(size * 300 + 600, sizeof *col), *out = calloc(size * 30 + 60, sizeof *out);
        convolved(in, 3, 6, n + 2, weight, 3, col, out);
        convolved(in, 2, n + 1, 5, weight, 2, col, out);
        convolved(in, 1, n, n < 6 ? n : 6, weight, 1, col, out);
        data_show("convolved", n, out, (size * 30 + 60) * sizeof *out);
        int *a = data_ints(size * 40 + 64, 1000), *at = data_ints(size * 40 + 64, n > 0 ? n : 1);
        for (int i = 0; i < 40 * n + 64; i++)
            at[i] = (at[i] < 0 ? -at[i] : at[i]) % (n > 0 ? n : 1);
        scattered(a, at, n, h);
        mixed(a, n, h, n + 5);
        marked(a, at, 4, n);
        two_widths(a, n, 3, h);
        two_widths(a, 2, n, h);
        unsigned s[3] = {narrow(a, at, 0, n, n), narrow(a, at, 1, n, n), narrow(a, at, n, 3, n)};
        data_show("ints", n, a, (size * 40 + 64) * sizeof *a);
        data_show("narrow", n, s, sizeof s);
        struct sheet sheet = {n, 7, in};
        if (n > 0)
            settle(&sheet, 3);
        struct sheet thin = {1, n, in};
        if (n > 0)
            settle(&thin, 2);
        data_show("settled", n, in, (size * 30 + 60) * sizeof *in);
        free(g), free(next), free(in), free(weight), free(col), free(out), free(a), free(at);
    }
}
