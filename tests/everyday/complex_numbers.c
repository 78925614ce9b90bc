/* Signals as complex numbers: a stage of a transform, windows, filters, powers, pictures of where
 * iterations go. */
#include "data.h"
#include <complex.h>
#include <math.h>

/* glibc has it for gcc only. */
#ifndef CMPLX
#define CMPLX(a, b) __builtin_complex((double)(a), (double)(b))
#endif

typedef double complex sample;

static sample rotated(sample z, double angle)
{
    sample w = cos(angle) + sin(angle) * I;
    return z * w;
}

void stage(sample *restrict x, const sample *restrict w, int n)
{
#pragma scop
    for (int start = 0; start + 8 <= n; start += 8)
        for (int k = 0; k < 4; k++) {
            sample even = x[start + k];
            sample odd = x[start + k + 4] * w[k];
            x[start + k] = even + odd;
            x[start + k + 4] = even - odd;
        }
#pragma endscop
}

void window(sample *restrict z, const float *restrict shape, int n)
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        z[i] *= shape[i];
        z[i] = rotated(z[i], 0.25 * i);
    }
#pragma endscop
}

void product(int n, float complex c[restrict n][n + 1], const float complex a[restrict n][n + 1],
             const float complex b[restrict n][n + 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * conjf(b[k][j]);
        }
#pragma endscop
}

void power(int n, double *restrict p, float *restrict phase, const sample *restrict z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        p[i] = creal(z[i]) * creal(z[i]) + cimag(z[i]) * cimag(z[i]);
        phase[i] = carg(z[i]);
        if (cabs(z[i]) > 1.0)
            p[i] = sqrt(p[i]);
    }
#pragma endscop
}

void parts(int n, sample *restrict z, const double *restrict re, const double *restrict im)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        __real__ z[i] = re[i];
        __imag__ z[i] += im[i];
        z[i] = CMPLX(cimag(z[i]), __real__ z[i]) - re[i] * I;
    }
#pragma endscop
}

void escape(int n, int *restrict turns)
{
#pragma scop
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            sample c = -2.0 + 3.0 * x / n + (-1.0 + 2.0 * y / n) * I, z = 0;
            int k = 0;
            while (k < 40 && cabs(z) < 2.0) {
                z = z * z + c;
                k++;
            }
            turns[y * n + x] = k;
        }
#pragma endscop
}

void wave(int n, int steps, sample *restrict u, sample *restrict v)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.1 * I * (u[i - 1] - 2 * u[i] + u[i + 1]);
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
    }
#pragma endscop
}

sample energy(int n, const sample *z)
{
    sample sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += z[i] * conj(z[i]) + 0.5 * I;
#pragma endscop
    return sum;
}

struct bin {
    sample value;
    int count;
    float complex both[2];
};

void bins(int n, struct bin *restrict b, const sample *restrict z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i].both[0] = z[i];
        b[i].both[1] = b[i].both[0] * 2;
        b[i].value = b[i].count * cexp(b[i].both[1]);
        b[i].count = b[i].value == 0 ? 0 : b[i].count + 1;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        sample *x = (sample *)data_doubles(2 * n), *z = (sample *)data_doubles(2 * n);
        double *p = data_doubles(n), *q = data_doubles(n);
        float *shape = data_floats(n), *phase = data_floats(n);
        int *turns = data_ints(n * n, 9);
        struct bin *b = calloc(n + 1, sizeof *b);
        sample w[4];
        for (int k = 0; k < 4; k++)
            w[k] = CMPLX(cos(k * 0.785), -sin(k * 0.785));
        for (int i = 0; i < n; i++)
            b[i].count = i % 3;
        stage(x, w, n);
        window(x, shape, n);
        wave(n, 7, x, z);
        power(n, p, phase, x);
        data_show("power", n, p, n * sizeof *p);
        data_show("phase", n, phase, n * sizeof *phase);
        bins(n, b, x);
        for (int i = 0; i < n; i++)
            z[i] += b[i].value + b[i].count + b[i].both[1];
        parts(n, x, p, q);
        escape(n, turns);
        data_show("parts", n, x, n * sizeof *x);
        data_show("bins", n, z, n * sizeof *z);
        data_show("turns", n, turns, n * n * sizeof *turns);
        sample sum = energy(n, x);
        data_show("energy", n, &sum, sizeof sum);
        float complex *abc = (float complex *)data_floats(6 * n * (n + 1));
        product(n, (void *)abc, (void *)(abc + n * (n + 1)), (void *)(abc + 2 * n * (n + 1)));
        data_show("product", n, abc, n * (n + 1) * sizeof *abc);
    }
}
