/* Products: matrices in several loop orders, Gram matrices, convolutions, correlations, distances. */
#include <math.h>

void product_row_by_column(int n, int m, int p, const double a[restrict n][p], const double b[restrict p][m],
                           double c[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < p; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}

void product_row_wise(int n, int m, int p, const float a[restrict n][p], const float b[restrict p][m],
                      float c[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            c[i][j] = 0.0f;
        for (int k = 0; k < p; k++)
            for (int j = 0; j < m; j++)
                c[i][j] += a[i][k] * b[k][j];
    }
#pragma endscop
}

void product_of_layers(int n, double alpha, double beta, const double a[restrict n][n], const double b[restrict n][n],
                       const double c[restrict n][n], double d[restrict n][n])
{
    int i, j, k;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            d[i][j] = beta * c[i][j];
    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                d[i][j] += alpha * a[i][k] * b[k][j];
#pragma endscop
}

void gram_of_rows(int n, int m, const double a[restrict n][m], double g[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0.0;
            for (int k = 0; k < m; k++)
                s += a[i][k] * a[j][k];
            g[i][j] = s;
        }
#pragma endscop
}

void covariance_of_columns(int n, int m, const double a[restrict n][m], double g[restrict m][m])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            g[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                g[i][j] += a[k][i] * a[k][j];
            g[i][j] /= n;
            g[j][i] = g[i][j];
        }
#pragma endscop
}

void batched_products(int batch, int n, const float a[restrict batch][n][n], const float b[restrict batch][n][n],
                      float c[restrict batch][n][n])
{
#pragma scop
    for (int p = 0; p < batch; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = 0.0f;
                for (int k = 0; k < n; k++)
                    s += a[p][i][k] * b[p][k][j];
                c[p][i][j] = s;
            }
#pragma endscop
}

void convolve_signal(int n, int taps, const float kernel[restrict taps], const float x[restrict n + taps],
                     float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int k = 0; k < taps; k++)
            s += kernel[k] * x[i + taps - k];
        y[i] = s;
    }
#pragma endscop
}

void convolve_picture(int h, int w, int kh, int kw, const float kernel[restrict kh][kw],
                      const float img[restrict h + kh][w + kw], float out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            out[i][j] = 0.0f;
            for (int k = 0; k < kh; k++)
                for (int l = 0; l < kw; l++)
                    out[i][j] += kernel[k][l] * img[i + k][j + l];
        }
#pragma endscop
}

void lagged_correlation(int n, int lags, const double x[restrict n], const double y[restrict n + lags],
                        double r[restrict lags])
{
#pragma scop
    for (int lag = 0; lag < lags; lag++) {
        r[lag] = 0.0;
        for (int i = 0; i < n; i++)
            r[lag] += x[i] * y[i + lag];
        r[lag] = r[lag] / n;
    }
#pragma endscop
}

void distance_table(int n, int m, int dims, const float a[restrict n][dims], const float b[restrict m][dims],
                    float dist[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0.0f;
            for (int k = 0; k < dims; k++) {
                float d = a[i][k] - b[j][k];
                s += d * d;
            }
            dist[i][j] = sqrtf(s);
        }
#pragma endscop
}

void product_of_ints(int n, int m, int p, const int *restrict a, const int *restrict b, int *restrict c)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int k = 0; k < p; k++)
                s += a[i * p + k] * b[k * m + j];
            c[i * m + j] = s;
        }
#pragma endscop
}
