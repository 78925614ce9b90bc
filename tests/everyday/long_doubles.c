/* Sums and filters that keep more bits than their data, and conversions between all kinds. */
#include "data.h"
#include <math.h>

static long double limited(long double v, long double low, long double high)
{
    return v < low ? low : v > high ? high : v;
}

void fir(int n, int taps, double *restrict y, const double *restrict x, const double *restrict h)
{
#pragma scop
    for (int i = taps; i < n; i++) {
        long double sum = 0.0L;
        for (int j = 0; j < taps; j++)
            sum += (long double)h[j] * x[i - j];
        y[i] = sum;
    }
#pragma endscop
}

void biquad(int n, double *restrict x)
{
    long double z1 = 0, z2 = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        long double in = x[i];
        long double out = in * 0.2L + z1;
        z1 = in * 0.3L + z2 - 0.5L * out;
        z2 = in * 0.2L - 0.25L * out;
        x[i] = out;
    }
#pragma endscop
}

void levels(int n, long double *restrict a, const int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * (1.0L / 3) + 0.1L;
        if (a[i] > 1)
            a[i] = -fabsl(a[i] - 2);
        a[i] = sqrtl(limited(a[i], 0.01L, 1e3L)) + a[i] * 1e-3;
    }
#pragma endscop
}

void smooth(int n, int steps, long double a[restrict n][n + 1], long double b[restrict n][n + 1])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.2L * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
}

void others(int n, const long double *restrict a, int *restrict i4, long *restrict i8,
            float *restrict f, _Bool *restrict b, long double *restrict table)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        i4[i] = a[i] * 100;
        i8[i] = lrintl(a[i] * 1000);
        f[i] = a[i] - (double)a[i];
        b[i] = a[i] > 0.5L && !(a[i] == 3);
        table[i] = i4[i] / 7 + (float)a[i] + sizeof(long double);
    }
#pragma endscop
}

void running(int n, long double *restrict a)
{
#pragma scop
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
    for (int i = n - 2; i >= 0; i--)
        a[i] = (a[i] + a[i + 1]) / 2;
#pragma endscop
}

/* Both halves of the numbers, as bytes of a long double that nothing uses may be any. */
static void show(const char *what, int n, const long double *a, int count)
{
    double *halves = malloc((2 * count + 1) * sizeof *halves);
    for (int i = 0; i < count; i++) {
        halves[2 * i] = a[i];
        halves[2 * i + 1] = a[i] - halves[2 * i];
    }
    data_show(what, n, halves, 2 * count * sizeof *halves);
}

int main(void)
{
    DATA_EACH(n) {
        double *x = data_doubles(n), *y = data_doubles(n), h[5] = {0.1, 0.3, 0.25, 0.2, 0.15};
        int *b = data_ints(n, 9), *i4 = data_ints(n, 9);
        long *i8 = calloc(n + 1, sizeof *i8);
        float *f = data_floats(n);
        _Bool *yes = calloc(n + 1, 1);
        long double *a = calloc(n + 1, sizeof *a), *t = calloc(n + 1, sizeof *t);
        long double *g = calloc(n * (n + 1) + 1, sizeof *g), *k = calloc(n * (n + 1) + 1, sizeof *k);
        for (int i = 0; i < n * (n + 1); i++)
            g[i] = i % 13 / 3.0L;
        fir(n, 5, y, x, h);
        biquad(n, x);
        levels(n, a, b);
        smooth(n, 6, (void *)g, (void *)k);
        others(n, a, i4, i8, f, yes, t);
        running(n, a);
        data_show("fir", n, y, n * sizeof *y);
        data_show("biquad", n, x, n * sizeof *x);
        show("levels", n, a, n);
        show("smooth", n, g, n * (n + 1));
        show("table", n, t, n);
        data_show("integers", n, i4, n * sizeof *i4);
        data_show("long", n, i8, n * sizeof *i8);
        data_show("lost", n, f, n * sizeof *f);
        data_show("truth", n, yes, n);
    }
}
