#include <stdio.h>

/* Domains of several pieces, that overlap or are empty, with strides, from below zero on, and sizes
   that only some of the nests know. */
static void overlap(int n, int p, int q, const int *restrict a, int *restrict b, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i < p || i >= q || i % 3 == 1)
            b[i] = a[i] + 1;
    for (int i = n - 1; i >= 0; i -= 2)
        if (i != p && i + q > 4)
            c[i] = b[i] - a[n - 1 - i];
    for (int i = p; i < q; i++)
        c[i + 16] += i * i;
#pragma endscop
}

static void strides(int n, int from, int a[restrict 40][40], int b[restrict 40][40])
{
#pragma scop
    for (int i = from; i < n; i += 3)
        for (int j = -i; j < i; j += 2)
            a[i + 10][j + 20] = i * 3 + j;
    for (int i = from; i < n; i++)
        for (int j = -10; j < 10; j++)
            if ((i + j) % 4 == 0 && 2 * i <= j + n)
                b[i + 10][j + 10] = a[i + 10][j + 20] + a[i + 10][(j + 40) / 2];
#pragma endscop
}

static void levels(int n, int m, int w, const int a[restrict n], int b[restrict m],
                   int c[restrict w], int d[restrict w])
{
#pragma scop
    for (int i = 0; i < m; i++)
        b[i] = 2 * i + 1 < n ? a[2 * i] + a[2 * i + 1] : 9;
    for (int i = 0; i < w; i++)
        c[i] = i < m ? b[i] : i < n ? a[i] : -1;
    for (int i = 1; i < w - 1; i++)
        d[i] = c[i - 1] + c[i + 1] * (i == m ? 3 : 1);
#pragma endscop
}

static void time_and_space(int steps, int n, int a[restrict 2][30])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            a[(t + 1) % 2][i] = a[t % 2][i - 1] + 2 * a[t % 2][i] - a[t % 2][i + 1];
        if (t == 2)
            for (int i = n / 2; i < n; i++)
                a[(t + 1) % 2][i] -= 5;
    }
#pragma endscop
}

int main(void)
{
    static int a[64], b[64], c[64], d[64], s[40][40], t[40][40], u[2][30];
    for (int i = 0; i < 64; i++)
        a[i] = i * 11 % 13 - 4;
    unsigned long hash = 0;
    for (int n = -3; n < 18; n++) {
        for (int p = -5; p < 14; p += 3)
            for (int q = -4; q < 20; q += 4)
                overlap(n, p, q, a, b, c);
        for (int from = -6; from < 7; from++)
            strides(n < 10 ? n : 10, from, s, t);
        for (int m = 0; n >= 0 && m < 12; m += 2)
            for (int w = 0; w < 20; w += 3)
                levels(n, m, w, a, b, c, d);
        for (int i = 0; i < 30; i++)
            u[0][i] = u[1][i] = i % 7;
        time_and_space(n / 2, n + 6, u);
        for (int i = 0; i < 64; i++)
            hash = hash * 31 + b[i] + 3 * c[i] + 7 * d[i] + u[i % 2][i / 3];
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 40; j++)
                hash = hash * 31 + s[i][j] + 3 * t[i][j];
        printf("%lu\n", hash);
    }
}
