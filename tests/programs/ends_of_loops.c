#include <stdio.h>

/* Loops whose first and last iterations are others than those between: over nothing, over one
   iteration, from below zero on, where the ends meet or pass each other. */
static void wrapped(int n, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = a[i == 0 ? n - 1 : i - 1] + 3 * a[i == n - 1 ? 0 : i + 1];
#pragma endscop
}

static void below_zero(int from, int to, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = from; i <= to; i++) {
        b[i + 20] = (i < 0 ? a[-i] : a[i]) + (i == from ? 100 : 0) + (i == to ? 1000 : 0);
        if (i == 2 - from)
            b[i + 20] -= 7;
    }
#pragma endscop
}

/* The part that is different at the beginning is longer than what the end leaves. */
static void overlapping(int n, int m, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] = i < m ? a[i] : 2 * a[i];
        b[i] += i >= n - m ? a[n - 1 - i] : 0;
    }
#pragma endscop
}

static void halves(int n, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[2 * i] = a[i] * 3;
    for (int i = 0; i < n - 1; i++)
        b[2 * i + 1] = a[i] + a[i + 1];
    for (int i = 0; i < 2 * n - 1; i++)
        b[i] = b[i] * 2 + (i % 2 == 0 ? a[i / 2] : -a[i / 2]);
#pragma endscop
}

static void looked_up(int n, const unsigned char *restrict table, const unsigned char *restrict a,
                      unsigned char *restrict b)
{
#pragma scop
    for (int i = 3; i < n - 2; i++)
        b[i] = table[a[i] & 15];
#pragma endscop
}

static void square(int n, int m, int a[restrict n][m], int b[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int up = i == 0 ? a[n - 1][j] : a[i - 1][j];
            int left = j == 0 ? a[i][m - 1] : a[i][j - 1];
            b[i][j] = up - 2 * left;
        }
    for (int i = 1; i < n - 1; i++)
        for (int j = i; j < m - i; j++)
            a[i][j] = b[i - 1][j] + b[i + 1][j];
#pragma endscop
}

static void triangles(int n, int w, int a[restrict 24][24], const int *restrict from,
                      const int *restrict to)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = from[i]; j < to[i] && j <= i + w; j++)
            a[i][j] += j == i ? 5 : j - i;
#pragma endscop
}

int main(void)
{
    static int a[64], b[64], s[24 * 24], t[24][24], from[24], to[24];
    static unsigned char table[16], x[64], y[64];
    for (int i = 0; i < 64; i++)
        a[i] = i * 7 % 11 - 3, x[i] = i * 13 % 41;
    for (int i = 0; i < 16; i++)
        table[i] = i * i;
    unsigned long hash = 0;
    for (int n = -1; n < 20; n++) {
        for (int i = 0; i < 64; i++)
            b[i] = i, y[i] = 0;
        wrapped(n, a, b);
        for (int i = 0; i < 64; i++)
            hash = hash * 31 + b[i];
        for (int m = -2; m < 12; m++) {
            overlapping(n, m, a, b);
            below_zero(m - 4, n / 2, a, b);
            for (int i = 0; i < 64; i++)
                hash = hash * 31 + b[i];
        }
        halves(n, a, b);
        looked_up(2 * n, table, x, y);
        for (int i = 0; i < 64; i++)
            hash = hash * 31 + b[i] + y[i];
        for (int i = 0; i < 24; i++)
            from[i] = i * 5 % 7, to[i] = i * 3 % 23;
        triangles(n < 0 ? 0 : n, 2, t, from, to);
        triangles(n, -2, t, from, to);
        for (int m = 1; n > 0 && m < 12; m += 3) {
            for (int i = 0; i < 24 * 24; i++)
                s[i] = i % 17;
            static int r[24 * 24];
            square(n, m, (int (*)[m])s, (int (*)[m])r);
            for (int i = 0; i < n * m; i++)
                hash = hash * 31 + s[i] - r[i];
        }
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 24; j++)
                hash = hash * 31 + t[i][j];
        printf("%lu\n", hash);
    }
}
