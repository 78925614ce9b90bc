#include <stdio.h>

/* Divisions in loops that run no round: their dividends are larger than an `int`. */
static void three_fifths(int n, int rounds, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < rounds; i++)
        b[i] = a[i + n * 3 / 5 - n * 3 / 5] + a[(n + n) / 3 * 0 + i];
#pragma endscop
}

static void middle(int low, int high, int rounds, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < rounds; i++)
        for (int j = 0; j < (low + high) / 2 - low; j++)
            b[i] += a[j] * a[(low + high + 1) / 2 - low - j];
#pragma endscop
}

static void below(int n, int m, int rounds, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < rounds; i++) {
        b[i] = a[i];
        for (int j = (-n - 2 * m) / 4; j < 0; j++)
            b[i] += a[-j];
    }
#pragma endscop
}

int main(void)
{
    int a[64], b[64];
    for (int i = 0; i < 64; i++) {
        a[i] = i * i - 7;
        b[i] = 0;
    }
    three_fifths(2000000000, 0, a, b);
    three_fifths(20, 12, a, b);
    middle(2000000000, 2000000010, 0, a, b);
    middle(3, 40, 9, a, b);
    below(2000000000, 2000000000, 0, a, b);
    below(9, 20, 15, a, b);
    for (int i = 0; i < 64; i++)
        printf("%d ", b[i]);
    printf("\n");
    return 0;
}
