/* Elementwise loops: every output element depends on the same element of the inputs. */
#include <math.h>
#include <stddef.h>

void axpy(int n, double a, const double x[restrict n], const double y[restrict n], double z[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
#pragma endscop
}

void scale_and_shift(int n, float scale, float shift, const float in[restrict n], float out[restrict n])
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        out[i] = in[i] * scale + shift;
    }
#pragma endscop
}

void saxpy_three(int n, float a, float b, const float x[restrict n], const float y[restrict n],
                 const float z[restrict n], float out[restrict n])
{
#pragma scop
    for (size_t i = 0; i < (size_t)n; ++i)
        out[i] = a * x[i] + b * y[i] + z[i];
#pragma endscop
}

void polar_parts(int n, const double x[restrict n], const double y[restrict n],
                 double radius[restrict n], double cosine[restrict n], double sine[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double r = sqrt(x[i] * x[i] + y[i] * y[i] + 1e-20);
        radius[i] = r;
        cosine[i] = x[i] / r;
        sine[i] = y[i] / r;
    }
#pragma endscop
}

void absolute_error(int n, const float measured[restrict n], const float expected[restrict n],
                    float error[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        error[i] = fabsf(measured[i] - expected[i]);
#pragma endscop
}

void mix_ints(int n, const int a[restrict n], const int b[restrict n], int c[restrict n], int d[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        c[i] = 3 * a[i] - 2 * b[i];
        d[i] = (a[i] * b[i] + 8) / 16;
    }
#pragma endscop
}

void contrast_pair(int n, const double left[restrict n], const double right[restrict n],
                   double contrast[restrict n], double energy[restrict n])
{
    double diff, sum;
#pragma scop
    for (int i = 0; i < n; i++) {
        diff = left[i] - right[i];
        sum = left[i] + right[i];
        contrast[i] = diff / (1.0 + sum * sum);
        energy[i] = 0.5 * (diff * diff + sum * sum);
    }
#pragma endscop
}

void blend_in_place(int n, double keep, const double *restrict fresh, double *restrict state)
{
#pragma scop
    for (int i = 0; i < n; i++)
        state[i] = keep * state[i] + (1.0 - keep) * fresh[i];
#pragma endscop
}

void distance_to_point(int n, float cx, float cy, float cz, const float px[restrict n],
                       const float py[restrict n], const float pz[restrict n], float dist[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const float dx = px[i] - cx;
        const float dy = py[i] - cy;
        const float dz = pz[i] - cz;
        dist[i] = sqrtf(dx * dx + dy * dy + dz * dz);
    }
#pragma endscop
}

void saturation_curve(int n, const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (long i = 0; i < n; i++)
        y[i] = x[i] * (x[i] * x[i] + 1.0) / (2.0 + fabs(x[i]));
#pragma endscop
}

void calibrate_samples(int n, double gain, double offset, const short raw[restrict n],
                       const double dark[restrict n], double volts[restrict n])
{
#pragma scop
    for (int i = 0; i <= n - 1; i++)
        volts[i] = ((double)raw[i] - dark[i]) * gain + offset;
#pragma endscop
}
