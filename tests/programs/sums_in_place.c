#include <stdio.h>

/* Sums that end in a cell of an array, from which others are made, or which others have read. */
static void product(int n, const double a[restrict n][n], const double b[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 1;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[n - 1 - i][j] = s;
        }
#pragma endscop
}

static void product_of_product(int n, const float a[restrict n][n], float b[restrict n][n], float c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = b[i][j];
            for (int k = 0; k < n; k++)
                s -= c[i][k] * a[k][j];
            b[i][j] = s;
        }
#pragma endscop
}

static void factors(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= a[i][k] * a[k][j];
            a[i][j] = s / (2 + a[j][j] * a[j][j]);
        }
        for (int j = i; j < n; j++) {
            double s = a[i][j];
            for (int k = 0; k < i; k++)
                s -= a[i][k] * a[k][j];
            a[i][j] = s;
        }
    }
#pragma endscop
}

/* What was in the cell is read while the sum is made. */
static void in_front(int n, const int a[restrict n][n], int c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++)
                s += a[i][k] * (c[i][j] & 7) + (c[i][k] & 3);
            c[i][j] = s & 1023;
        }
#pragma endscop
}

static void symmetric(int n, int m, const float a[restrict n][m], float c[restrict n][n], double d[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * a[j][k];
            c[j][i] = s;
            c[i][j] = s;
            d[i] = s + 0.5;
        }
#pragma endscop
}

int main(void)
{
    double a[144], b[144], c[144], d[12];
    float e[144], f[144], g[144];
    int p[144], q[144];
    for (int n = 0; n <= 12; n++) {
        for (int k = 0; k < 144; k++) {
            a[k] = (k * 37 % 41) / 16.0;
            b[k] = (k * 31 % 43) / 32.0;
            e[k] = (k * 53 % 37) / 8.0f;
            f[k] = (k * 29 % 31) / 4.0f;
            c[k] = g[k] = 0;
            p[k] = k * 13 % 17;
            q[k] = k * 11 % 19;
        }
        product(n, (void *)a, (void *)b, (void *)c);
        product_of_product(n, (void *)e, (void *)f, (void *)g);
        factors(n, (void *)a);
        in_front(n, (void *)p, (void *)q);
        for (int k = 0; k < n * n; k++)
            printf("%a %a %a %a %d ", a[k], c[k], f[k], g[k], q[k]);
        symmetric(n, 144 / (n + 1), (void *)e, (void *)g, d);
        for (int k = 0; k < n * n; k++)
            printf("%a ", g[k]);
        for (int k = 0; k < n; k++)
            printf("%a ", d[k]);
        printf("\n");
    }
    return 0;
}
