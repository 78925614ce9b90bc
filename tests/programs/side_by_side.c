#include <stdio.h>

/* Rows whose sums and recurrences are independent of each other: several at a time run in the loops
   inside, what is left of them one after another. */
static void rows_times(int n, int m, const double a[restrict n][m], const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.25;
        for (int j = 0; j < m; j++)
            s = s * 0.5 + a[i][j] * x[j];
        y[i] = s;
    }
#pragma endscop
}

static void in_cells(int n, int m, const float a[restrict n][m], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = a[i][0];
        for (int j = 1; j < m; j++)
            y[i] = a[i][j] > y[i] ? a[i][j] : y[i];
    }
#pragma endscop
}

static void there_and_back(int n, int m, float x[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int t = 1; t < m; t++)
            x[i][t] = x[i][t] - 0.5f * x[i][t - 1];
        if (i != 2)
            x[i][m - 1] = x[i][m - 1] * 2.0f;
        for (int t = m - 2; t >= 0; t--)
            x[i][t] = x[i][t] - 0.25f * x[i][t + 1];
    }
#pragma endscop
}

/* Several values for each row, some in an array. */
static void moments(int n, int m, const short a[restrict n][m], double out[restrict n][3])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum[3];
        int count = 0;
        for (int k = 0; k < 3; k++)
            sum[k] = k;
        for (int j = 0; j < m; j++) {
            double v = a[i][j] / 8.0;
            sum[0] += v;
            sum[1] += v * v;
            sum[2] += v * v * v;
            count += a[i][j] > 0;
        }
        for (int k = 0; k < 3; k++)
            out[i][k] = sum[k] + count;
    }
#pragma endscop
}

static void distances(int n, int d, const float p[restrict n][d], float out[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            float s = 0;
            for (int k = 0; k < d; k++) {
                float t = p[i][k] - p[j][k];
                s += t * t;
            }
            out[i][j] = s;
            out[j][i] = s;
        }
#pragma endscop
}

/* The loop inside has other bounds in each row. */
static void below_diagonal(int n, const double a[restrict n][n], const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < i; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
#pragma endscop
}

int main(void)
{
    double a[400], x[40], y[20], out[20][3];
    float f[400], g[400];
    short s[400];
    for (int k = 0; k < 400; k++) {
        a[k] = (k * 37 % 101) / 16.0;
        f[k] = (k * 53 % 97) / 8.0f;
        g[k] = 0;
        s[k] = k * 29 % 61 - 30;
    }
    for (int k = 0; k < 40; k++)
        x[k] = k - 7;
    for (int n = 0; n <= 9; n++)
        for (int m = 1; m <= 11; m += 5) {
            rows_times(n, m, (void *)a, x, y);
            for (int i = 0; i < n; i++)
                printf("%a ", y[i]);
            in_cells(n, m, (void *)f, g);
            for (int i = 0; i < n; i++)
                printf("%a ", g[i]);
            there_and_back(n, m, (void *)f);
            moments(n, m, (void *)s, out);
            for (int i = 0; i < n; i++)
                printf("%a %a %a ", out[i][0], out[i][1], out[i][2]);
            distances(n, m, (void *)f, (void *)g);
            for (int i = 0; i < n * n; i++)
                printf("%a ", g[i]);
            below_diagonal(n, (void *)a, x, y);
            for (int i = 0; i < n; i++)
                printf("%a ", y[i]);
            printf("\n");
        }
    for (int k = 0; k < 400; k++)
        printf("%a ", f[k]);
    printf("\n");
    return 0;
}
