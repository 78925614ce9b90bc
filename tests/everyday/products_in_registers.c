/* Products of matrices in the forms they have: of integers and bytes, least sums in place of sums, of
 * columns, of triangles, of complex numbers, of several matrices, with padded rows, from the end. */
#include "data.h"

void integers(int n, int m, int p, const int *a, const int *b, int *c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < p; k++)
                s += a[i * p + k] * b[k * m + j];
            c[i * m + j] = s;
        }
#pragma endscop
}

void bytes(int n, uint8_t a[restrict n][n], uint8_t b[restrict n][n], int32_t c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

void least_sums(int n, float a[restrict n][n], float b[restrict n][n], float d[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                float s = a[i][k] + b[k][j];
                if (s < d[i][j])
                    d[i][j] = s;
            }
#pragma endscop
}

void gram_below(int n, int m, double a[restrict n][m], double b[restrict n][m], double g[restrict m][m])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++)
                g[i][j] -= a[k][i] * b[k][j];
#pragma endscop
}

void above_diagonal(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

void triangle_times(int n, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = i + 1; k < n; k++)
                b[i][j] += a[k][i] * b[k][j];
#pragma endscop
}

void complex_product(int n, double ar[restrict n][n], double ai[restrict n][n], double br[restrict n][n], double bi[restrict n][n], double cr[restrict n][n], double ci[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                cr[i][j] += ar[i][k] * br[k][j] - ai[i][k] * bi[k][j];
                ci[i][j] += ar[i][k] * bi[k][j] + ai[i][k] * br[k][j];
            }
#pragma endscop
}

void several(int n, int m, double a[restrict n][m][m], double b[restrict m][m], double c[restrict n][m][m])
{
#pragma scop
    for (int q = 0; q < n; q++)
        for (int i = 0; i < m; i++)
            for (int k = 0; k < m; k++)
                for (int j = 0; j < m; j++)
                    c[q][i][j] += a[q][i][k] * b[k][j];
#pragma endscop
}

void padded_rows(int n, long ld, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * ld + j] = c[i * ld + j] + a[i * ld + k] * b[k * ld + j];
#pragma endscop
}

void from_the_end(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int k = n - 1; k >= 0; k--)
            for (int j = 0; j < n; j++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, 23, 24, 27, 32, 33, 50, 66};
    for (size_t at = 0; at < sizeof sizes / sizeof *sizes; at++) {
        int n = sizes[at], m = n + (int)at % 3, p = n + (int)at % 2;
        size_t cells = (size_t)n * n;
        int *ia = data_ints((size_t)n * p, 50), *ib = data_ints((size_t)p * m, 50), *ic = data_ints((size_t)n * m, 50);
        integers(n, m, p, ia, ib, ic);
        data_show("integers", n, ic, 4 * (size_t)n * m);
        uint8_t *ba = data_bytes(cells), *bb = data_bytes(cells);
        int32_t *bc = data_ints(cells, 9);
        bytes(n, (void *)ba, (void *)bb, (void *)bc);
        data_show("bytes", n, bc, 4 * cells);
        float *fa = data_floats(cells), *fb = data_floats(cells), *fd = data_floats(cells);
        least_sums(n, (void *)fa, (void *)fb, (void *)fd);
        data_show("least_sums", n, fd, 4 * cells);
        double *ta = data_doubles((size_t)n * m), *tb = data_doubles((size_t)n * m), *tg = data_doubles((size_t)m * m);
        gram_below(n, m, (void *)ta, (void *)tb, (void *)tg);
        data_show("gram_below", n, tg, 8 * (size_t)m * m);
        double *a = data_doubles(cells), *b = data_doubles(cells), *c = data_doubles(cells);
        double *d = data_doubles(cells), *e = data_doubles(cells), *f = data_doubles(cells);
        above_diagonal(n, (void *)a, (void *)b, (void *)c);
        data_show("above_diagonal", n, c, 8 * cells);
        triangle_times(n, (void *)a, (void *)c);
        data_show("triangle_times", n, c, 8 * cells);
        complex_product(n, (void *)a, (void *)b, (void *)c, (void *)d, (void *)e, (void *)f);
        data_show("complex_product", n, e, 8 * cells);
        data_show("complex_product", n, f, 8 * cells);
        padded_rows(n, n, a, b, d);
        data_show("padded_rows", n, d, 8 * cells);
        from_the_end(n, (void *)a, (void *)b, (void *)c);
        data_show("from_the_end", n, c, 8 * cells);
        double *qa = data_doubles(3 * cells), *qc = data_doubles(3 * cells);
        several(3, n, (void *)qa, (void *)b, (void *)qc);
        data_show("several", n, qc, 24 * cells);
        void *all[] = {ia, ib, ic, ba, bb, bc, fa, fb, fd, ta, tb, tg, a, b, c, d, e, f, qa, qc};
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            free(all[k]);
    }
}
