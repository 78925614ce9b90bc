#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Variables of 64 bits whose first and last values are data, and data that is as far away as numbers
   go: these loops run over nothing. */
static void sums(int n, const long *restrict lo, const long *restrict hi, const double a[restrict 40],
                 double *restrict s)
{
#pragma scop
    for (int r = 0; r < n; r++) {
        double t = 0;
        for (long j = lo[r]; j < hi[r]; j++)
            t += a[j];
        s[r] = t;
    }
#pragma endscop
}

static void down(int n, const long *restrict lo, const long *restrict hi, double a[restrict 40])
{
#pragma scop
    for (int r = 0; r < n; r++)
        for (long j = hi[r]; j >= lo[r]; j--)
            a[j] += 1 + r;
#pragma endscop
}

/* Arrays of unknown length: that every iteration subscripts them says how far the loop can go. */
static void rows(long n, const long *restrict row, const int *restrict column,
                 const double *restrict v, const double *restrict x, double *restrict y)
{
#pragma scop
    for (long i = 0; i < n; i++) {
        double s = 0;
        for (long k = row[i]; k < row[i + 1]; k++)
            s += v[k] * x[column[k]];
        y[i] = s;
    }
#pragma endscop
}

static void unsigned_rows(size_t n, const size_t *restrict row, const unsigned *restrict column,
                          const float *restrict v, float *restrict y)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        for (size_t k = row[i]; k < row[i + 1]; k++)
            y[column[k]] += v[k] * (float)(i + 1);
#pragma endscop
}

static void shifted(int n, const long *restrict first, const long *restrict end,
                    const short *restrict a, long *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (long k = first[i]; k < end[i]; k += 1)
            b[i] += a[k + 7] * (k + 1);
#pragma endscop
}

int main(void)
{
    const long ends[9] = {0, 5, 13, LONG_MIN, LONG_MAX, -1, LONG_MIN + 1, LONG_MAX - 1, 39};
    const long far = 1L << 62;
    enum { most = 200 };
    long lo[most], hi[most];
    int n = 0;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            const int inside = ends[i] >= 0 && ends[j] < 40;
            if (inside || ends[j] < ends[i]) {
                lo[n] = ends[i];
                hi[n++] = ends[j];
            }
        }
    lo[n] = far + 1, hi[n++] = far - 1;
    lo[n] = far + 5, hi[n++] = far + 2;
    lo[n] = -far + 1, hi[n++] = -far - 3;

    double a[40], s[most] = {0};
    for (int i = 0; i < 40; i++)
        a[i] = i * 0.37 + 1;
    for (int m = 0; m <= n; m += n / 2) {
        sums(m, lo, hi, a, s);
        down(m, lo, hi, a);
    }
    for (int i = 0; i < n; i++)
        printf("%g ", s[i]);
    for (int i = 0; i < 40; i++)
        printf("%g ", a[i]);
    printf("\n");

    const long row[6] = {0, 3, 3, LONG_MIN, 2, 6};
    const long empty[4] = {LONG_MAX, LONG_MIN, LONG_MIN, LONG_MIN + 1};
    const size_t unsigned_row[6] = {0, 3, 3, 9, SIZE_MAX, 6};
    const int column[9] = {3, 1, 0, 2, 2, 1, 3, 0, 1};
    unsigned unsigned_column[9];
    float v[9], w[4] = {0};
    double x[9], y[8] = {0};
    for (int i = 0; i < 9; i++) {
        unsigned_column[i] = (unsigned)column[i];
        v[i] = i * 0.5f - 1;
        x[i] = i + 0.25;
    }
    rows(2, row, column, x, x, y);
    rows(2, empty, column, x, x, y + 2);
    rows(1, row + 2, column, x, x, y + 4);
    rows(1, row + 4, column, x, x, y + 5);
    unsigned_rows(3, unsigned_row, unsigned_column, v, w);
    unsigned_rows(1, unsigned_row + 4, unsigned_column, v, w);
    for (int i = 0; i < 8; i++)
        printf("%g ", y[i]);
    printf("%g %g %g %g\n", w[0], w[1], w[2], w[3]);

    const long first[5] = {-7, 0, LONG_MIN, -3, LONG_MAX}, end[5] = {2, 2, LONG_MIN, 5, LONG_MIN};
    const short b[12] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12};
    long c[5] = {0};
    shifted(5, first, end, b, c);
    for (int i = 0; i < 5; i++)
        printf("%ld ", c[i]);
    printf("\n");
    return 0;
}
