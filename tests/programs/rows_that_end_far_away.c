#include <limits.h>
#include <stdio.h>

/* Rows of a table whose ends are any numbers of 64 bits, for variables of 32 bits: below all of
   them nothing is left, and nothing may be counted down from there. */
static void rows(int n, const long *restrict row, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = i; k < row[i]; k++)
            b[i] += a[k & 7] * (k < i + 2 ? 3 : 1);
#pragma endscop
}

static void downwards(int n, const long *restrict row, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = i; k > row[i]; k--)
            b[i] -= a[k & 7] * (k > i - 2 ? 3 : 1);
#pragma endscop
}

int main(void)
{
    static const long ends[] = {LONG_MIN, 4, LONG_MIN + 1, -1, 9, INT_MIN, 7, INT_MIN - 1L};
    static const long begins[] = {LONG_MAX, -4, LONG_MAX - 1, 1, 9, INT_MAX, 0, INT_MAX + 1L};
    static const int a[] = {5, -2, 9, 1, 4, 4, -7, 3};
    for (int n = 0; n <= 8; n++) {
        int b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        rows(n, ends, a, b);
        downwards(n, begins, a, b);
        for (int i = 0; i < 8; i++)
            printf("%d ", b[i]);
        printf("\n");
    }
    return 0;
}
