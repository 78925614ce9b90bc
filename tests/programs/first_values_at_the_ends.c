#include <limits.h>
#include <stdio.h>

/* Loops may begin with the least or the greatest value of their variable's type. */
static void up(int n, const int *restrict row, const int *restrict end, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < end[i]; k++)
            a[i] = 3 * a[i] + (k < 0);
#pragma endscop
}

static void down(int n, const int *restrict row, const int *restrict end, int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k > end[i]; k--)
            a[i] = 3 * a[i] + (k > 5);
#pragma endscop
}

int main(void)
{
    int a[6] = {1, 2, 3, 4, 5, 6};
    const int low[6] = {INT_MIN, INT_MIN + 1, -2, 0, INT_MAX - 2, 4};
    const int high[6] = {INT_MIN + 3, INT_MIN + 1, 3, 5, INT_MAX, INT_MIN};
    const int top[6] = {INT_MAX, INT_MAX - 1, 4, 3, INT_MIN + 2, -5};
    const int under[6] = {INT_MAX - 3, INT_MAX, -1, 3, INT_MIN, 6};
    up(6, low, high, a);
    down(6, top, under, a);
    for (int i = 0; i < 6; i++)
        printf("%d\n", a[i]);
}
