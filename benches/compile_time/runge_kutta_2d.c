#include "numbers.h"
void rk(int n, double u[n][n], double k1[n][n], double k2[n][n], double k3[n][n], double k4[n][n], double t[n][n], double h)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            k1[i][j] = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            t[i][j] = u[i][j] + 0.5 * h * k1[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            k2[i][j] = t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1] - 4 * t[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            t[i][j] = u[i][j] + 0.5 * h * k2[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            k3[i][j] = t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1] - 4 * t[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            t[i][j] = u[i][j] + h * k3[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            k4[i][j] = t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1] - 4 * t[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i][j] += h / 6 * (k1[i][j] + 2 * k2[i][j] + 2 * k3[i][j] + k4[i][j]);
#pragma endscop
}
static double m[6][20][20];
int main(void)
{
    fill_doubles(&m[0][0][0], sizeof m / 8);
    rk(20, m[0], m[1], m[2], m[3], m[4], m[5], 0.01);
    show("u", m, sizeof m);
}
