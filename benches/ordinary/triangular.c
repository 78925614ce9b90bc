/* Triangular loops: the inner bound depends on the outer counter. */
#include <math.h>

void lower_times_vector(int n, const double l[restrict n][n], const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j <= i; j++)
            y[i] += l[i][j] * x[j];
    }
#pragma endscop
}

void upper_times_vector(int n, const float u[restrict n][n], const float x[restrict n], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int j = i; j < n; j++)
            s += u[i][j] * x[j];
        y[i] = s;
    }
#pragma endscop
}

void upper_transposed_vector(int n, const double u[restrict n][n], const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int j = 0; j < n; j++)
        y[j] = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            y[j] += u[i][j] * x[i];
#pragma endscop
}

void mirror_lower(int n, double a[restrict n][n])
{
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            a[j][i] = a[i][j];
#pragma endscop
}

void symmetric_times_vector(int n, const double a[restrict n][n], const double x[restrict n], double y[restrict n])
{
    double s;
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
    for (int i = 0; i < n; i++) {
        s = a[i][i] * x[i];
        for (int j = 0; j < i; j++) {
            y[j] += a[i][j] * x[i];
            s += a[i][j] * x[j];
        }
        y[i] += s;
    }
#pragma endscop
}

void lower_times_transpose(int n, const double l[restrict n][n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double s = 0.0;
            for (int k = 0; k <= j; k++)
                s += l[i][k] * l[j][k];
            c[i][j] = s;
        }
#pragma endscop
}

void close_pairs(int n, double reach, const double x[restrict n], const double y[restrict n], long count[restrict 1])
{
    long c = 0;
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++) {
            double dx = x[i] - x[j];
            double dy = y[i] - y[j];
            if (dx * dx + dy * dy < reach)
                c++;
        }
    count[0] = c;
#pragma endscop
}

void packed_lower_vector(int n, const double *restrict p, const double *restrict x, double *restrict y)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j <= i; j++) {
            s += p[k] * x[j];
            k++;
        }
        y[i] = s;
    }
#pragma endscop
}

void unpack_lower(int n, const float p[restrict n * (n + 1) / 2], float a[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            a[i][j] = p[i * (i + 1) / 2 + j];
        for (int j = i + 1; j < n; j++)
            a[i][j] = 0.0f;
    }
#pragma endscop
}

void causal_convolution(int n, const double x[restrict n], const double kernel[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j <= i; j++)
            y[i] += kernel[i - j] * x[j];
    }
#pragma endscop
}

void pair_distances(int n, const float p[restrict n][3], float d[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[i][i] = 0.0f;
        for (int j = i + 1; j < n; j++) {
            float dx = p[i][0] - p[j][0];
            float dy = p[i][1] - p[j][1];
            float dz = p[i][2] - p[j][2];
            d[i][j] = sqrtf(dx * dx + dy * dy + dz * dz);
            d[j][i] = d[i][j];
        }
    }
#pragma endscop
}
