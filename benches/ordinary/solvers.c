/* Solvers: substitution, tridiagonal systems, Gauss-Seidel sweeps, relaxation, factorisation steps. */
#include <math.h>

static double unit(unsigned int *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) / 16777216.0 + 0.01;
}

static void fill(long n, double low, double spread, double x[])
{
    unsigned int s = (unsigned int)n + 17u;
    for (long i = 0; i < n; i++)
        x[i] = low + spread * unit(&s);
}

void forward_substitution(int n, int m, double l[restrict n][n], double b[restrict n][m], double x[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int r = 0; r < m; r++) {
            double s = b[i][r];
            for (int j = 0; j < i; j++)
                s -= l[i][j] * x[j][r];
            x[i][r] = s / l[i][i];
        }
#pragma endscop
}

void forward_substitution_init(int n, int m, double l[restrict n][n], double b[restrict n][m], double x[restrict n][m])
{
    fill((long)n * n, -0.5 / n, 1.0 / n, &l[0][0]);
    fill((long)n * m, 0.0, 1.0, &b[0][0]);
    fill((long)n * m, 0.0, 1.0, &x[0][0]);
    for (int i = 0; i < n; i++)
        l[i][i] = 2.0 + 1.0 / (i + 1);
}

void back_substitution(int n, int m, double u[restrict n][n], double b[restrict n][m], double x[restrict n][m])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int r = 0; r < m; r++)
            x[i][r] = b[i][r];
        for (int j = i + 1; j < n; j++)
            for (int r = 0; r < m; r++)
                x[i][r] -= u[i][j] * x[j][r];
        for (int r = 0; r < m; r++)
            x[i][r] /= u[i][i];
    }
#pragma endscop
}

void back_substitution_init(int n, int m, double u[restrict n][n], double b[restrict n][m], double x[restrict n][m])
{
    fill((long)n * n, -0.5 / n, 1.0 / n, &u[0][0]);
    fill((long)n * m, 0.0, 1.0, &b[0][0]);
    fill((long)n * m, 0.0, 1.0, &x[0][0]);
    for (int i = 0; i < n; i++)
        u[i][i] = 2.0 + 1.0 / (i + 1);
}

void tridiagonal_rows(int h, int w, double lower[restrict w], double diag[restrict w], double upper[restrict w],
                      double d[restrict h][w], double c[restrict w], double x[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        c[0] = upper[0] / diag[0];
        x[i][0] = d[i][0] / diag[0];
        for (int j = 1; j < w; j++) {
            double t = 1.0 / (diag[j] - lower[j] * c[j - 1]);
            c[j] = upper[j] * t;
            x[i][j] = (d[i][j] - lower[j] * x[i][j - 1]) * t;
        }
        for (int j = w - 2; j >= 0; j--)
            x[i][j] -= c[j] * x[i][j + 1];
    }
#pragma endscop
}

void tridiagonal_rows_init(int h, int w, double lower[restrict w], double diag[restrict w], double upper[restrict w],
                           double d[restrict h][w], double c[restrict w], double x[restrict h][w])
{
    fill(w, -1.0, 0.5, lower);
    fill(w, 2.5, 1.0, diag);
    fill(w, -1.0, 0.5, upper);
    fill(w, 0.0, 0.1, c);
    fill((long)h * w, 0.0, 1.0, &d[0][0]);
    fill((long)h * w, 0.0, 1.0, &x[0][0]);
}

void tridiagonal_columns(int h, int w, double side, double diag[restrict h], double d[restrict h][w],
                         double c[restrict h], double x[restrict h][w])
{
#pragma scop
    c[0] = side / diag[0];
    for (int j = 0; j < w; j++)
        x[0][j] = d[0][j] / diag[0];
    for (int i = 1; i < h; i++) {
        c[i] = side / (diag[i] - side * c[i - 1]);
        for (int j = 0; j < w; j++)
            x[i][j] = (d[i][j] - side * x[i - 1][j]) / (diag[i] - side * c[i - 1]);
    }
    for (int i = h - 2; i >= 0; i--)
        for (int j = 0; j < w; j++)
            x[i][j] = x[i][j] - c[i] * x[i + 1][j];
#pragma endscop
}

void tridiagonal_columns_init(int h, int w, double side, double diag[restrict h], double d[restrict h][w],
                              double c[restrict h], double x[restrict h][w])
{
    fill(h, 2.5 * fabs(side), 1.0, diag);
    fill(h, 0.0, 0.1, c);
    fill((long)h * w, 0.0, 1.0, &d[0][0]);
    fill((long)h * w, 0.0, 1.0, &x[0][0]);
}

void seidel_line(int n, double x[restrict n], const double f[restrict n])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        x[i] = (f[i] + x[i - 1] + x[i + 1]) * 0.4;
#pragma endscop
}

void seidel_plane(int h, int w, const double f[restrict h][w], double u[restrict h][w])
{
#pragma scop
    for (int i = 1; i <= h - 2; i++)
        for (int j = 1; j <= w - 2; j++)
            u[i][j] = 0.2 * f[i][j] + 0.2 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma endscop
}

void relax_few_sweeps(int sweeps, int h, int w, float *restrict u, float *restrict v, const float *restrict f)
{
#pragma scop
    for (int t = 0; t < sweeps; t++) {
        for (int i = 1; i < h - 1; i++)
            for (int j = 1; j < w - 1; j++)
                v[i * w + j] = 0.2f * (u[(i - 1) * w + j] + u[(i + 1) * w + j] + u[i * w + j - 1]
                                       + u[i * w + j + 1] + f[i * w + j]);
        for (int i = 1; i < h - 1; i++)
            for (int j = 1; j < w - 1; j++)
                u[i * w + j] = v[i * w + j];
    }
#pragma endscop
}

void over_relax_line(int sweeps, int n, double omega, const double f[restrict n], double x[restrict n])
{
#pragma scop
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i < n - 1; i++)
            x[i] = (1.0 - omega) * x[i] + omega * 0.4 * (f[i] + x[i - 1] + x[i + 1]);
#pragma endscop
}

void cholesky_lower(int n, double a[restrict n][n], double l[restrict n][n])
{
#pragma scop
    for (int j = 0; j < n; j++) {
        double d = a[j][j];
        for (int k = 0; k < j; k++)
            d -= l[j][k] * l[j][k];
        l[j][j] = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = a[i][j];
            for (int k = 0; k < j; k++)
                s -= l[i][k] * l[j][k];
            l[i][j] = s / l[j][j];
        }
    }
#pragma endscop
}

void cholesky_lower_init(int n, double a[restrict n][n], double l[restrict n][n])
{
    fill((long)n * n, 0.0, 1.0, &a[0][0]);
    fill((long)n * n, 0.0, 1.0, &l[0][0]);
    for (int i = 0; i < n; i++) {
        a[i][i] = n + 2.0;
        for (int j = 0; j < i; j++)
            a[j][i] = a[i][j];
    }
}

void elimination_step(int n, double pivot[restrict 1], double col[restrict n], double row[restrict n],
                      double a[restrict n][n], double next[restrict n][n], double factor[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        factor[i] = col[i] / pivot[0];
        for (int j = 0; j < n; j++)
            next[i][j] = a[i][j] - factor[i] * row[j];
    }
#pragma endscop
}

void elimination_step_init(int n, double pivot[restrict 1], double col[restrict n], double row[restrict n],
                           double a[restrict n][n], double next[restrict n][n], double factor[restrict n])
{
    pivot[0] = 3.0;
    fill(n, -0.5, 1.0, col);
    fill(n, -0.5, 1.0, row);
    fill(n, 0.0, 1.0, factor);
    fill((long)n * n, 0.0, 1.0, &a[0][0]);
    fill((long)n * n, 0.0, 1.0, &next[0][0]);
}
