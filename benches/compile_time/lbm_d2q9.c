#include "numbers.h"
#define N 24
static double f[9][N][N], g[9][N][N];
void collide_stream(int steps, double omega)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                double r = f[0][i][j] + f[1][i][j] + f[2][i][j] + f[3][i][j] + f[4][i][j] + f[5][i][j] + f[6][i][j] + f[7][i][j] + f[8][i][j];
                double u = (f[1][i][j] + f[5][i][j] + f[8][i][j] - f[3][i][j] - f[6][i][j] - f[7][i][j]) / r;
                double v = (f[2][i][j] + f[5][i][j] + f[6][i][j] - f[4][i][j] - f[7][i][j] - f[8][i][j]) / r;
                double q = 1 - 1.5 * (u * u + v * v);
                g[0][i][j] = f[0][i][j] + omega * (r * 4 / 9 * q - f[0][i][j]);
                g[1][i + 1][j] = f[1][i][j] + omega * (r / 9 * (q + 3 * u + 4.5 * u * u) - f[1][i][j]);
                g[2][i][j + 1] = f[2][i][j] + omega * (r / 9 * (q + 3 * v + 4.5 * v * v) - f[2][i][j]);
                g[3][i - 1][j] = f[3][i][j] + omega * (r / 9 * (q - 3 * u + 4.5 * u * u) - f[3][i][j]);
                g[4][i][j - 1] = f[4][i][j] + omega * (r / 9 * (q - 3 * v + 4.5 * v * v) - f[4][i][j]);
                g[5][i + 1][j + 1] = f[5][i][j] + omega * (r / 36 * (q + 3 * (u + v) + 4.5 * (u + v) * (u + v)) - f[5][i][j]);
                g[6][i - 1][j + 1] = f[6][i][j] + omega * (r / 36 * (q + 3 * (v - u) + 4.5 * (v - u) * (v - u)) - f[6][i][j]);
                g[7][i - 1][j - 1] = f[7][i][j] + omega * (r / 36 * (q - 3 * (u + v) + 4.5 * (u + v) * (u + v)) - f[7][i][j]);
                g[8][i + 1][j - 1] = f[8][i][j] + omega * (r / 36 * (q + 3 * (u - v) + 4.5 * (u - v) * (u - v)) - f[8][i][j]);
            }
        for (int k = 0; k < 9; k++)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    f[k][i][j] = g[k][i][j];
    }
#pragma endscop
}
int main(void)
{
    fill_doubles(&f[0][0][0], sizeof f / 8);
    collide_stream(3, 0.7);
    show("f", f, sizeof f);
}
