#include <stdio.h>

/* One variable for one thing after the other. */
static double solve(int n, double a[restrict n][n], double b[restrict n], double x[restrict n])
{
    double w;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = a[i][j];
            for (int k = 0; k < j; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w / a[j][j];
        }
        for (int j = i; j < n; j++) {
            w = a[i][j];
            for (int k = 0; k < i; k++)
                w -= a[i][k] * a[k][j];
            a[i][j] = w;
        }
    }
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++)
            w -= a[i][j] * x[j];
        x[i] = w;
    }
    for (int i = n - 1; i >= 0; i--) {
        w = x[i];
        for (int j = i + 1; j < n; j++)
            w -= a[i][j] * x[j];
        x[i] = w / a[i][i];
    }
#pragma endscop
    return w;
}

/* What is left of a condition that does not hold is what was there before. */
static int kept(int n, const int *restrict a, int *restrict b, int *restrict c)
{
    int t = 5;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 3)
            t = a[i];
        b[i] = t;
    }
    for (int i = 0; i < n; i++) {
        t = b[i] * 2;
        if (i % 3 == 0)
            t = t - 1;
        c[i] = t;
    }
    for (int i = 0; i < n; i++) {
        if (c[i] > 40)
            t = c[i];
        b[i] += t;
    }
#pragma endscop
    return t;
}

/* Two roles in one iteration, and one that goes on in the next. */
static unsigned char turns(int n, const unsigned char *restrict in, unsigned char *restrict out)
{
    unsigned char v = 7;
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = v + in[i];
        v = in[i] * 3;
        out[i] ^= v;
        v = in[n - 1 - i] + 1;
    }
#pragma endscop
    return v;
}

int main(void)
{
    enum { N = 41 };
    static double a[N][N], b[N], x[N];
    static int c[N], d[N], e[N];
    static unsigned char in[N], out[N];
    for (int n = 0; n <= N; n += n < 6 ? 1 : 7) {
        for (int i = 0; i < N; i++) {
            b[i] = i % 7 - 2.5;
            x[i] = 0;
            c[i] = i * 5 % 17 - 4;
            in[i] = (unsigned char)(i * 37);
            for (int j = 0; j < N; j++)
                a[i][j] = (i * 3 + j * 7) % 11 + (i == j) * 100;
        }
        double last = n > 0 ? solve(n, (double (*)[n])a, b, x) : 0;
        printf("%d %.17g %d %d\n", n, last, kept(n, c, d, e), turns(n, in, out));
        for (int i = 0; i < n; i++)
            printf(" %.17g %d %d %d", x[i], d[i], e[i], out[i]);
        printf("\n");
    }
    return 0;
}
