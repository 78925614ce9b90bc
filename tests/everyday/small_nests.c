/* Small nests over square pictures and matrices. */
#include "data.h"

static void border(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int y = i == 0 ? 0 : i - 1, x = j == n - 1 ? j : j + 1;
            b[i][j] = a[y][x] - a[i][j];
        }
#pragma endscop
}

static void checker(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i & 1; j < n; j += 2)
            b[i][j] = a[i][j] + a[j][i];
#pragma endscop
}

static const int conv3_K[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
static void conv3(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int s = 0;
            for (int k = -1; k <= 1; k++)
                for (int l = -1; l <= 1; l++)
                    s += conv3_K[k + 1][l + 1] * a[i + k][j + l];
            b[i][j] = s / 16;
        }
#pragma endscop
}

static void diag(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int d = 0; d < 2 * n - 1; d++)
        for (int i = d < n ? 0 : d - n + 1; i <= (d < n ? d : n - 1); i++)
            b[i][d - i] = a[i][d - i] + (i > 0 ? b[i - 1][d - i] : 0);
#pragma endscop
}

static void dilate(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int m = a[i][j];
            for (int k = -1; k <= 1; k++)
                for (int l = -1; l <= 1; l++)
                    if (a[i + k][j + l] > m)
                        m = a[i + k][j + l];
            b[i][j] = m;
        }
#pragma endscop
}

static void flip(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < n; j++) {
            int t = a[i][j];
            a[i][j] = a[n - 1 - i][j];
            a[n - 1 - i][j] = t;
        }
#pragma endscop
}

static void floyd(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (a[i][k] + a[k][j] < a[i][j])
                    a[i][j] = a[i][k] + a[k][j];
#pragma endscop
}

static void gs(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]) / 4;
#pragma endscop
}

static void lu(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            int f = a[i][k] / ((a[k][k] & 3) + 1);
            for (int j = k; j < n; j++)
                a[i][j] = (a[i][j] - f * a[k][j]) % 1000;
        }
#pragma endscop
}

static void rowsum(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int j = 0; j < n; j++)
            s += a[i][j];
        for (int j = 0; j < n; j++)
            b[i][j] = a[i][j] * 100 / (s + 1);
    }
#pragma endscop
}

static void spiral(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int k = 0; k < n / 2; k++)
        for (int i = k; i < n - k; i++) {
            b[k][i] = a[k][i];
            b[n - 1 - k][i] = a[n - 1 - k][i] + 1;
        }
#pragma endscop
}

static void upsample(int n, int a[restrict n + 2][n + 2], int b[restrict n + 2][n + 2])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = (a[i / 2][j / 2] * 3 + a[(i + 1) / 2][(j + 1) / 2]) / 4;
#pragma endscop
}

int main(void)
{
    DATA_EACH(n)
    {
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            border(n, (void *)a, (void *)b);
            data_show("border", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            checker(n, (void *)a, (void *)b);
            data_show("checker", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            conv3(n, (void *)a, (void *)b);
            data_show("conv3", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            diag(n, (void *)a, (void *)b);
            data_show("diag", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            dilate(n, (void *)a, (void *)b);
            data_show("dilate", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            flip(n, (void *)a, (void *)b);
            data_show("flip", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            floyd(n, (void *)a, (void *)b);
            data_show("floyd", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            gs(n, (void *)a, (void *)b);
            data_show("gs", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            lu(n, (void *)a, (void *)b);
            data_show("lu", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            rowsum(n, (void *)a, (void *)b);
            data_show("rowsum", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            spiral(n, (void *)a, (void *)b);
            data_show("spiral", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
        {
            int *a = data_ints((n + 2) * (n + 2), 100), *b = data_ints((n + 2) * (n + 2), 100);
            upsample(n, (void *)a, (void *)b);
            data_show("upsample", n, a, 4 * (n + 2) * (n + 2));
            data_show("b", n, b, 4 * (n + 2) * (n + 2));
        }
    }
}
