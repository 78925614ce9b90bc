/* Spectra: a transform in place, windows, and correlation. */
#include "data.h"
#include <math.h>

typedef struct { float re, im; } cpx;

/* n is a power of two. */
void fft(cpx *x, int n)
{
#pragma scop
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            cpx t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
    for (int len = 2; len <= n; len <<= 1) {
        double ang = -2 * M_PI / len;
        for (int i = 0; i < n; i += len) {
            for (int k = 0; k < len / 2; k++) {
                float wr = (float)cos(ang * k), wi = (float)sin(ang * k);
                cpx a = x[i + k], b = x[i + k + len / 2], t;
                t.re = b.re * wr - b.im * wi;
                t.im = b.re * wi + b.im * wr;
                x[i + k].re = a.re + t.re;
                x[i + k].im = a.im + t.im;
                x[i + k + len / 2].re = a.re - t.re;
                x[i + k + len / 2].im = a.im - t.im;
            }
        }
    }
#pragma endscop
}

void frame_power(const float *signal, int n, int hop, int size, float *power)
{
    int frame = 0;
#pragma scop
    for (int start = 0; start + size <= n; start += hop, frame++) {
        float e = 0;
        for (int i = 0; i < size; i++) {
            float w = 0.5f - 0.5f * cosf(6.2831853f * (float)i / (float)(size - 1));
            float s = signal[start + i] * w;
            e += s * s;
        }
        power[frame] = e / (float)size;
    }
#pragma endscop
}

int find_pitch(const float *x, int n, int min_lag, int max_lag)
{
    int best_lag = 0;
    float best = 0;
#pragma scop
    for (int lag = min_lag; lag <= max_lag && lag < n; lag++) {
        float corr = 0, energy = 1e-6f;
        for (int i = 0; i + lag < n; i++) {
            corr += x[i] * x[i + lag];
            energy += x[i + lag] * x[i + lag];
        }
        if (corr / energy > best) {
            best = corr / energy;
            best_lag = lag;
        }
    }
#pragma endscop
    return best_lag;
}

/* Changes the rate by straight lines between samples; position has 16 bits of fraction. */
int resample_linear(const int16_t *in, int n, int16_t *out, int max_out, uint32_t step)
{
    uint32_t pos = 0;
    int made = 0;
#pragma scop
    while (made < max_out) {
        int i = (int)(pos >> 16);
        if (i + 1 >= n)
            break;
        int frac = (int)(pos & 0xffff) >> 1;
        out[made++] = (int16_t)(in[i] + (((in[i + 1] - in[i]) * frac) >> 15));
        pos += step;
    }
#pragma endscop
    return made;
}

int main(void)
{
    DATA_EACH(n) {
        int size = 1;
        while (size < n)
            size *= 2;
        cpx *x = (cpx *)data_floats(2 * size);
        fft(x, size);
        data_show("fft", size, x, size * sizeof *x);
        float *s = data_floats(4 * n), *power = data_floats(n);
        for (int i = 3; i < 4 * n; i++)
            s[i] = 0.7f * s[i - 3] + 0.3f * s[i];
        frame_power(s, 4 * n, 7, 16, power);
        data_show("power", n, power, n * sizeof *power);
        int16_t *in = data_bytes(2 * n), out[300] = {0};
        for (int i = 0; i < n; i++)
            in[i] /= 4;
        int made = resample_linear(in, n, out, 300, 40000);
        data_show("resample", made, out, sizeof out);
        printf("pitch %d\n", find_pitch(s, 4 * n, 2, 20));
    }
}
