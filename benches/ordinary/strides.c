/* Strided loops: every second or third element, reversed order, interleaved data. */
#include <math.h>
#include <stddef.h>

void every_second(int n, const double x[restrict 2 * n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[2 * i];
#pragma endscop
}

void sum_triples(int n, const float x[restrict 3 * n], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
#pragma endscop
}

void reversed_copy(int n, const int x[restrict n], int y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = x[n - 1 - i];
#pragma endscop
}

void reversed_update(int n, double a, const double x[restrict n], const double y[restrict n], double z[restrict n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        z[i] = y[i] - a * x[i];
#pragma endscop
}

void multiply_complex(int n, const double a[restrict 2 * n], const double b[restrict 2 * n],
                      double c[restrict 2 * n])
{
#pragma scop
    for (int i = 0; i < 2 * n; i += 2) {
        c[i] = a[i] * b[i] - a[i + 1] * b[i + 1];
        c[i + 1] = a[i] * b[i + 1] + a[i + 1] * b[i];
    }
#pragma endscop
}

void complex_magnitudes(int n, const float z[restrict n][2], float mag[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        mag[i] = sqrtf(z[i][0] * z[i][0] + z[i][1] * z[i][1]);
#pragma endscop
}

void split_rgb(int n, const unsigned char rgb[restrict 3 * n], unsigned char red[restrict n],
               unsigned char green[restrict n], unsigned char blue[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        red[i] = rgb[3 * i];
        green[i] = rgb[3 * i + 1];
        blue[i] = rgb[3 * i + 2];
    }
#pragma endscop
}

void merge_stereo(int n, const short left[restrict n], const short right[restrict n], short both[restrict 2 * n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        both[2 * i] = left[i];
        both[2 * i + 1] = right[i];
    }
#pragma endscop
}

void haar_pairs(int n, const double x[restrict n], double y[restrict n])
{
    const double half = 0.70710678118654752;
#pragma scop
    for (int i = 0; i + 1 < n; i += 2) {
        y[i] = half * (x[i] + x[i + 1]);
        y[i + 1] = half * (x[i] - x[i + 1]);
    }
#pragma endscop
}

void halve_picture(int h, int w, const float img[restrict 2 * h][2 * w], float out[restrict h][w])
{
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i][j] = 0.25f * (img[2 * i][2 * j] + img[2 * i][2 * j + 1]
                                 + img[2 * i + 1][2 * j] + img[2 * i + 1][2 * j + 1]);
#pragma endscop
}

void strided_axpy(int n, int step, double a, const double x[restrict n * step], const double y[restrict n],
                  double z[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = a * x[i * step] + y[i];
#pragma endscop
}
