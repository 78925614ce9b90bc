#include "numbers.h"
#define N 20
void sweep(int t, double a[N][N][N], double b[N][N][N])
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++) {
                    b[i][j][k] = 0;
                    for (int p = -1; p <= 1; p++)
                        for (int q = -1; q <= 1; q++)
                            for (int r = -1; r <= 1; r++)
                                b[i][j][k] += a[i + p][j + q][k + r] / 27;
                }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++)
                    a[i][j][k] = b[i][j][k];
    }
#pragma endscop
}
static double a[N][N][N], b[N][N][N];
int main(void)
{
    fill_doubles(&a[0][0][0], N * N * N);
    sweep(3, a, b);
    show("a", a, sizeof a);
}
