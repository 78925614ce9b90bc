#include "numbers.h"
#define N 16
void fdtd(int steps, float ex[N][N][N], float ey[N][N][N], float ez[N][N][N], float hx[N][N][N], float hy[N][N][N], float hz[N][N][N])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N; i++)
            for (int j = 1; j < N; j++)
                for (int k = 1; k < N; k++) {
                    ex[i][j][k] += 0.5f * (hz[i][j][k] - hz[i][j - 1][k] - hy[i][j][k] + hy[i][j][k - 1]);
                    ey[i][j][k] += 0.5f * (hx[i][j][k] - hx[i][j][k - 1] - hz[i][j][k] + hz[i - 1][j][k]);
                    ez[i][j][k] += 0.5f * (hy[i][j][k] - hy[i - 1][j][k] - hx[i][j][k] + hx[i][j - 1][k]);
                }
        for (int i = 0; i < N - 1; i++)
            for (int j = 0; j < N - 1; j++)
                for (int k = 0; k < N - 1; k++) {
                    hx[i][j][k] += 0.5f * (ey[i][j][k + 1] - ey[i][j][k] - ez[i][j + 1][k] + ez[i][j][k]);
                    hy[i][j][k] += 0.5f * (ez[i + 1][j][k] - ez[i][j][k] - ex[i][j][k + 1] + ex[i][j][k]);
                    hz[i][j][k] += 0.5f * (ex[i][j + 1][k] - ex[i][j][k] - ey[i + 1][j][k] + ey[i][j][k]);
                }
    }
#pragma endscop
}
static float f[6][N][N][N];
int main(void)
{
    fill_floats(&f[0][0][0][0], sizeof f / 4);
    fdtd(3, f[0], f[1], f[2], f[3], f[4], f[5]);
    show("f", f, sizeof f);
}
