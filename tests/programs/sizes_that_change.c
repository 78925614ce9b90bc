#include <stdio.h>
#include <stdlib.h>

/* Arrays keep the size that they were made with, whatever comes of the variables that it was computed
   from, and whatever the elements are that it counts. */
struct size {
    int n;
};

struct pair {
    double first, second;
};

static int outside = 100;

static __attribute__((noinline)) void shrink(int *n)
{
    *n = 9;
    outside = 9;
}

/* What an iteration writes somewhere a later one reads behind where the array would end now. */
static void fields(int n, const int *restrict where, double *restrict seen)
{
    struct size size = {100};
    double a[size.n];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    size.n = 9;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[where[i]] += 1 + i;
        seen[i] = a[size.n + 31] + size.n;
    }
#pragma endscop
}

static void addresses(int n, const int *restrict where, double *restrict seen)
{
    int count = 100;
    double *a = malloc(count * sizeof(double)), b[outside];
    for (int i = 0; i < 100; i++)
        a[i] = b[i] = i;
    shrink(&count);
#pragma scop
    for (int i = 0; i < n; i++) {
        a[where[i]] += 1 + i;
        b[where[i]] += a[count + 31];
        seen[i] = b[outside + 32] + count + outside;
    }
#pragma endscop
    free(a);
}

/* Iterations up to where the array ends, by what it was declared with. */
static void bounds(int n, const int *restrict length, double *restrict sum)
{
    struct size size = {100};
    double a[size.n];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    size.n = 9;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < length[i]; j++)
            sum[i] += a[j] * size.n;
#pragma endscop
}

/* The number of pairs is half of the number of their elements. */
static void pairs(int n, const int *restrict where, double *restrict seen)
{
    double *a = malloc(n * sizeof(struct pair));
    for (int i = 0; i < 2 * n; i++)
        a[i] = i;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[where[i]] += 1 + i;
        seen[i] = a[2 * n - 1];
    }
#pragma endscop
    free(a);
}

/* A field whose address is known may change with what is written there. */
static void aimed(int n, int *restrict seen)
{
    struct size size = {7};
    int *at = &size.n;
#pragma scop
    for (int i = 0; i < n; i++) {
        at[0] = i;
        seen[size.n] = i;
    }
#pragma endscop
}

int main(void)
{
    enum { N = 64 };
    static int where[N], length[N], counts[N];
    static double seen[5][N];
    for (int i = 0; i < N; i++) {
        where[i] = i % 3 ? 40 : 41;
        length[i] = i * 7 % 90;
    }
    fields(N, where, seen[0]);
    addresses(N, where, seen[1]);
    bounds(N, length, seen[2]);
    for (int i = 0; i < N; i++)
        where[i] = 2 * N - 1;
    pairs(N, where, seen[3]);
    aimed(N, counts);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < N; i++)
            printf("%g%c", seen[k][i], i % 8 < 7 ? ' ' : '\n');
    for (int i = 0; i < N; i++)
        printf("%d%c", counts[i], i % 8 < 7 ? ' ' : '\n');
    return 0;
}
