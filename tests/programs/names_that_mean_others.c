/* Names that mean another variable at the region than where a value was computed from them. */
#include <stdio.h>
#include <stdlib.h>

static void size_of_before(int *restrict a, int *restrict b, int n)
{
    int m = n - 1;
    for (int k = 0; k < 2; k++) {
        int n = 2000 + k;
#pragma scop
        for (int i = 1; i < m; i++)
            b[i] = a[i - 1] + n;
#pragma endscop
    }
}

static int *steps_of_before(int *a, int *b, int n, int steps)
{
    int left = steps;
    for (int k = 0; k < 2; k++) {
        int steps = 1;
#pragma scop
        for (int t = 0; t < left; t++) {
            for (int i = 1; i < n - 1; i++)
                b[i] = (a[i - 1] + a[i + 1] + steps) & 255;
            int *x = a;
            a = b;
            b = x;
        }
#pragma endscop
    }
    return a;
}

static void declared_inside(int *a, int *b, int n, int steps)
{
    int m = steps;
    {
#pragma scop
        int steps = m - 1;
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++)
                b[i] = (a[i - 1] + a[i + 1]) & 255;
            for (int i = 1; i < n - 1; i++)
                a[i] = b[i];
        }
#pragma endscop
    }
}

static int next(int *p)
{
    static int k;
    *p += ++k;
    return k;
}

static void in_parts(int *restrict a, int *restrict b, int n, int *p)
{
    int m = n;
    {
#pragma scop
        int n = m - 100;
        int k = next(p);
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1] + k) & 255;
#pragma endscop
    }
}

typedef double real;
static real *types(int n, real *a, real *b, int steps)
{
    typedef float real;
    real half = 0.5f;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = half * (a[i - 1] + a[i + 1]);
        void *x = a;
        a = b;
        b = x;
    }
#pragma endscop
    return a;
}

int main(void)
{
    enum { N = 3000 };
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b), count = 0;
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    for (int way = 0; way < 5; way++) {
        for (int i = 0; i < N; i++) {
            a[i] = i & 255;
            b[i] = i * 7 & 255;
            x[i] = i % 17;
            y[i] = i % 5;
        }
        int first = 1;
        switch (way) {
        case 0: size_of_before(a, b, N); break;
        case 1: first = steps_of_before(a, b, N, 3) == a; break;
        case 2: declared_inside(a, b, N, 4); break;
        case 3: in_parts(a, b, N, &count); break;
        case 4: first = types(N, x, y, 3) == x; break;
        }
        unsigned hash = 0;
        double sum = 0;
        for (int i = 0; i < N; i++) {
            hash = hash * 31 + (unsigned)a[i] * 3 + (unsigned)b[i];
            sum = sum * 0.999 + x[i] - 3 * y[i];
        }
        printf("%d %d %d %u %.17g\n", way, first, count, hash, sum);
    }
    return 0;
}
