/* Small dense blocks: many 3x3, 4x4, 5x5 and 8x8 products, factorisations and transforms. */
#include <math.h>

static double unit(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 + 0.01;
}

void block_times_vector(int n, const double a[restrict n][5][5], const double x[restrict n][5],
                        double y[restrict n][5])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 5; i++) {
            y[p][i] = 0.0;
            for (int j = 0; j < 5; j++)
                y[p][i] += a[p][i][j] * x[p][j];
        }
#pragma endscop
}

void block_update(int n, const double old[restrict n][4][4], const double a[restrict n][4][4],
                  const double b[restrict n][4][4], double c[restrict n][4][4])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                double s = old[p][i][j];
                for (int k = 0; k < 4; k++)
                    s -= a[p][i][k] * b[p][k][j];
                c[p][i][j] = s;
            }
#pragma endscop
}

void cosine_blocks(int n, const float basis[restrict 8][8], const float in[restrict n][8][8],
                   float out[restrict n][8][8])
{
    float tmp[8][8];
#pragma scop
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                tmp[i][j] = 0.0f;
                for (int k = 0; k < 8; k++)
                    tmp[i][j] += in[p][i][k] * basis[j][k];
            }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                float s = 0.0f;
                for (int k = 0; k < 8; k++)
                    s += basis[i][k] * tmp[k][j];
                out[p][i][j] = s;
            }
    }
#pragma endscop
}

void cosine_lines(int h, int n, const int basis[restrict 8][8], const short in[restrict h][8 * n],
                  int out[restrict h][8 * n])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int b = 0; b < n; b++)
            for (int f = 0; f < 8; f++) {
                int s = 0;
                for (int k = 0; k < 8; k++)
                    s += basis[f][k] * in[i][8 * b + k];
                out[i][8 * b + f] = s;
            }
#pragma endscop
}

void chain_rotations(int n, const double a[restrict n][3][3], const double b[restrict n][3][3],
                     double c[restrict n][3][3])
{
    int p, i, j;
#pragma scop
    for (p = 0; p < n; p++)
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3; j++)
                c[p][i][j] = a[p][i][0] * b[p][0][j] + a[p][i][1] * b[p][1][j] + a[p][i][2] * b[p][2][j];
#pragma endscop
}

void factor_blocks(int n, double a[restrict n][5][5], double lu[restrict n][5][5])
{
#pragma scop
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                lu[p][i][j] = a[p][i][j];
        for (int k = 0; k < 4; k++)
            for (int i = k + 1; i < 5; i++) {
                lu[p][i][k] /= lu[p][k][k];
                for (int j = k + 1; j < 5; j++)
                    lu[p][i][j] -= lu[p][i][k] * lu[p][k][j];
            }
    }
#pragma endscop
}

void factor_blocks_init(int n, double a[restrict n][5][5], double lu[restrict n][5][5])
{
    unsigned int s = 9u;
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) {
                a[p][i][j] = i == j ? 6.0 + unit(&s) : unit(&s);
                lu[p][i][j] = 0.0;
            }
}

void solve_lower_blocks(int n, double l[restrict n][4][4], double b[restrict n][4], double x[restrict n][4])
{
#pragma scop
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < 4; i++) {
            double s = b[p][i];
            for (int j = 0; j < i; j++)
                s -= l[p][i][j] * x[p][j];
            x[p][i] = s / l[p][i][i];
        }
    }
#pragma endscop
}

void solve_lower_blocks_init(int n, double l[restrict n][4][4], double b[restrict n][4], double x[restrict n][4])
{
    unsigned int s = 10u;
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 4; i++) {
            b[p][i] = unit(&s);
            x[p][i] = 0.0;
            for (int j = 0; j < 4; j++)
                l[p][i][j] = i == j ? 3.0 + unit(&s) : unit(&s) - 0.5;
        }
}

void scale_coefficients(int n, const short weight[restrict 8][8], const short in[restrict n][8][8],
                        short out[restrict n][8][8])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                out[p][i][j] = (short)((in[p][i][j] * weight[i][j] + 32) / 64);
#pragma endscop
}

void block_line_residual(int n, const double a[restrict n][3][3], const double b[restrict n][3][3],
                         const double c[restrict n][3][3], const double x[restrict n][3],
                         const double f[restrict n][3], double r[restrict n][3])
{
#pragma scop
    for (int p = 1; p < n - 1; p++)
        for (int i = 0; i < 3; i++) {
            double s = f[p][i];
            for (int j = 0; j < 3; j++)
                s -= a[p][i][j] * x[p - 1][j] + b[p][i][j] * x[p][j] + c[p][i][j] * x[p + 1][j];
            r[p][i] = s;
        }
#pragma endscop
}

void transpose_blocks(int n, const float *restrict a, float *restrict b)
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                b[16 * p + 4 * j + i] = a[16 * p + 4 * i + j];
#pragma endscop
}

void block_norms(int n, const double a[restrict n][4][4], double size[restrict n], double trace[restrict n])
{
#pragma scop
    for (int p = 0; p < n; p++) {
        double s = 0.0;
        trace[p] = 0.0;
        for (int i = 0; i < 4; i++) {
            trace[p] += a[p][i][i];
            for (int j = 0; j < 4; j++)
                s += a[p][i][j] * a[p][i][j];
        }
        size[p] = sqrt(s);
    }
#pragma endscop
}
