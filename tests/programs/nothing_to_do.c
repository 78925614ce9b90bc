// Nests that have nothing to do, and sizes that are the largest in the dimensions that do not matter.
#include <limits.h>
#include <stdio.h>
static void area(const unsigned char *img, unsigned *sum, int w, int h)
{
#pragma scop
    for (int j = 1; j < h; j++)
        for (int i = 1; i < w; i++)
            sum[j * w + i] = sum[(j - 1) * w + i] + sum[j * w + i - 1] - sum[(j - 1) * w + i - 1] + img[j * w + i];
#pragma endscop
}
static void cube(int n, int m, int k, double a[restrict n][m][k])
{
#pragma scop
    for (int x = 1; x < n; x++)
        for (int y = 1; y < m; y++)
            for (int z = 1; z < k; z++)
                a[x][y][z] += 0.5 * a[x - 1][y][z] + 0.25 * a[x][y - 1][z] - 0.125 * a[x][y][z - 1];
#pragma endscop
}
static void two(int n, int m, double a[restrict n][m], double b[restrict n][m])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            a[i][j] = a[i - 1][j] + a[i][j - 1] * 0.5;
            b[i][j] = b[i - 1][j] * 0.25 + a[i][j] + b[i][j - 1];
        }
#pragma endscop
}
static void heat(int t, int n, double a[restrict 2][n])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[(s + 1) % 2][i] = 0.25 * a[s % 2][i - 1] + 0.5 * a[s % 2][i] + 0.25 * a[s % 2][i + 1];
#pragma endscop
}
static void sweeps(int t, int n, int m, double a[restrict n][m])
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = 0.25 * (a[i - 1][j] + a[i][j - 1] + a[i + 1][j] + a[i][j + 1]);
#pragma endscop
}
static double total(int n, const double *x)
{
    double all = 0;
    for (int i = 0; i < n; i++)
        all = all * 0.75 + x[i];
    return all;
}
static double field[20000];
static unsigned sums[20000];
static unsigned char bytes[20000];
int main(void)
{
    int none[] = {INT_MIN, -1, 0, 1};
    for (int at = 0; at < 4; at++) {
        area(bytes, sums, INT_MAX, none[at]);
        area(bytes, sums, none[at], 1000000);
        sweeps(none[at] - (none[at] > 0), 40000, 40000, (void *)field);
        heat(none[at] - (none[at] > 0), INT_MAX, (void *)field);
    }
    for (int at = 2; at < 4; at++) {
        cube(none[at], 40000, 40000, (void *)field);
        cube(300, none[at], 1000000, (void *)field);
        cube(1000, 1000, none[at], (void *)field);
        two(none[at], INT_MAX, (void *)field, (void *)field);
        two(1000000, none[at], (void *)field, (void *)field);
    }
    heat(1000000, 2, (void *)field);
    sweeps(1, 2, INT_MAX, (void *)field);
    sweeps(1, 1000000, 2, (void *)field);
    for (int i = 0; i < 20000; i++) {
        field[i] = i % 17 * 0.25;
        bytes[i] = i % 23;
        sums[i] = i;
    }
    area(bytes, sums, 100, 70);
    area(bytes, sums, 3, 2000);
    cube(11, 23, 17, (void *)field);
    two(45, 50, (void *)field, (void *)(field + 3000));
    heat(9, 300, (void *)field);
    sweeps(7, 40, 60, (void *)field);
    unsigned all = 0;
    for (int i = 0; i < 20000; i++)
        all = all * 31 + sums[i];
    printf("%u %.17g\n", all, total(20000, field));
}
