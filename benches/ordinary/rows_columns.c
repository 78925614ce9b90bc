/* Rows and columns of matrices: matrix-vector products, sums, scaling, transposition. */
#include <math.h>
#include <stddef.h>

void matvec_by_rows(int n, int m, const double a[restrict n][m], const double x[restrict m], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < m; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
#pragma endscop
}

void matvec_by_columns(int n, int m, const double a[restrict n][m], const double x[restrict m], double y[restrict n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        y[i] = 0.0;
    for (j = 0; j < m; j++)
        for (i = 0; i < n; i++)
            y[i] += a[i][j] * x[j];
#pragma endscop
}

void matvec_transposed(int n, int m, const float a[restrict n][m], const float x[restrict n], float y[restrict m])
{
#pragma scop
    for (int j = 0; j < m; j++)
        y[j] = 0.0f;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += a[i][j] * x[i];
#pragma endscop
}

void row_sums(int h, int w, const float a[restrict h][w], float sums[restrict h])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        sums[i] = 0.0f;
        for (int j = 0; j < w; j++)
            sums[i] += a[i][j];
    }
#pragma endscop
}

void column_sums(int h, int w, const int a[restrict h][w], int sums[restrict w])
{
#pragma scop
    for (int j = 0; j < w; j++) {
        int s = 0;
        for (int i = 0; i < h; i++)
            s += a[i][j];
        sums[j] = s;
    }
#pragma endscop
}

void normalise_rows(int h, int w, const double a[restrict h][w], double b[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        double s = 1e-9;
        for (int j = 0; j < w; j++)
            s += a[i][j] * a[i][j];
        double f = 1.0 / sqrt(s);
        for (int j = 0; j < w; j++)
            b[i][j] = a[i][j] * f;
    }
#pragma endscop
}

void add_outer_product(int n, int m, double c, const double x[restrict n], const double y[restrict m],
                       const double a[restrict n][m], double b[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[i][j] + c * x[i] * y[j];
#pragma endscop
}

void transpose_matrix(int n, int m, const float a[restrict n][m], float b[restrict m][n])
{
#pragma scop
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)m; j++)
            b[j][i] = a[i][j];
#pragma endscop
}

void scale_columns(int h, int w, const double f[restrict w], const double a[restrict h][w], double b[restrict h][w])
{
#pragma scop
    for (int j = 0; j < w; j++)
        for (int i = 0; i < h; i++)
            b[i][j] = a[i][j] * f[j];
#pragma endscop
}

void centre_columns(int h, int w, const float a[restrict h][w], float mean[restrict w], float b[restrict h][w])
{
#pragma scop
    for (int j = 0; j < w; j++)
        mean[j] = 0.0f;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            mean[j] += a[i][j];
    for (int j = 0; j < w; j++)
        mean[j] /= (float)h;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            b[i][j] = a[i][j] - mean[j];
#pragma endscop
}

void row_maxima(int h, int w, const float a[restrict h * w], float top[restrict h])
{
#pragma scop
    for (int i = 0; i < h; i++) {
        float best = a[i * w];
        for (int j = 1; j < w; j++)
            if (a[i * w + j] > best)
                best = a[i * w + j];
        top[i] = best;
    }
#pragma endscop
}
