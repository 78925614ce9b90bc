#include <stdio.h>

/* Rows that begin in front of where `c` points. */
static void middle(int n, int *restrict c, const long *restrict row)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            c[k] = 3 * c[k] + i;
#pragma endscop
}

/* Downwards, until data says so. */
static void downwards(int n, double *restrict c, const int *restrict end)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = n; k > end[i]; k--)
            c[k] = c[k] / 2 + i;
#pragma endscop
}

struct rows {
    short *values;
    const int *begin;
};

/* The same through a structure's pointer, with an offset. */
static void fields(int n, struct rows r)
{
    short *const values = r.values + 1;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = r.begin[i]; k < r.begin[i + 1]; k++)
            values[k - 1] = (short)(values[k - 1] * 5 + i);
#pragma endscop
}

/* A pointer to where an array begins. */
static void first(int n, int c[restrict n], const int *restrict row)
{
    int *const values = c;
#pragma scop
    for (int i = 0; i + 1 < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            values[k] = 7 * (values[k] % 1000) + i;
#pragma endscop
}

#define N 40
#define HALF 64

int main(void)
{
    int ints[2 * HALF], rows[N + 1];
    long wide[N + 1];
    double reals[2 * HALF];
    short shorts[2 * HALF];
    for (int k = 0; k < 2 * HALF; k++) {
        ints[k] = k;
        reals[k] = k;
        shorts[k] = (short)k;
    }
    for (int i = 0; i <= N; i++) {
        wide[i] = i * 7 % 50 - 25;
        rows[i] = (int)wide[i];
    }
    middle(N, ints + HALF, wide);
    downwards(N, reals + HALF, rows);
    fields(N, (struct rows){shorts + HALF, rows});
    for (int i = 0; i <= N; i++)
        rows[i] = i * 11 % N;
    first(N, ints, rows);
    for (int k = 0; k < 2 * HALF; k++)
        printf("%d %a %d\n", ints[k], reals[k], shorts[k]);
    return 0;
}
