/* Recursive filters: biquads, a blocker of the direct current and an envelope follower. */
#include "data.h"

typedef struct {
    double b0, b1, b2, a1, a2;
    double z1, z2;
} Biquad;

void biquad_run(Biquad *f, const float *in, float *out, int n)
{
    double z1 = f->z1, z2 = f->z2;
#pragma scop
    for (int i = 0; i < n; i++) {
        double x = in[i];
        double y = f->b0 * x + z1;
        z1 = f->b1 * x - f->a1 * y + z2;
        z2 = f->b2 * x - f->a2 * y;
        out[i] = (float)y;
    }
#pragma endscop
    f->z1 = z1;
    f->z2 = z2;
}

/* A cascade over all the channels of a planar buffer. */
void equalise(Biquad *bands, int band_count, float **channels, int channel_count, int n)
{
#pragma scop
    for (int c = 0; c < channel_count; c++) {
        float *buf = channels[c];
        for (int b = 0; b < band_count; b++) {
            Biquad *f = &bands[c * band_count + b];
            for (int i = 0; i < n; i++) {
                double x = buf[i];
                double y = f->b0 * x + f->z1;
                f->z1 = f->b1 * x - f->a1 * y + f->z2;
                f->z2 = f->b2 * x - f->a2 * y;
                buf[i] = (float)y;
            }
        }
    }
#pragma endscop
}

void dc_block(int16_t *pcm, int n, int *last_in, int *last_out)
{
    int px = *last_in, py = *last_out;
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = pcm[i];
        int y = x - px + py - (py >> 7);
        px = x;
        py = y;
        pcm[i] = (int16_t)(y > 32767 ? 32767 : y < -32768 ? -32768 : y);
    }
#pragma endscop
    *last_in = px;
    *last_out = py;
}

float follow_envelope(const float *x, float *env, int n, float attack, float release)
{
    float level = 0.0f, peak = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++) {
        float a = x[i] < 0 ? -x[i] : x[i];
        if (a > level)
            level += attack * (a - level);
        else
            level += release * (a - level);
        env[i] = level;
        if (level > peak)
            peak = level;
    }
#pragma endscop
    return peak;
}

int main(void)
{
    DATA_EACH(n) {
        Biquad bank[6];
        for (int k = 0; k < 6; k++)
            bank[k] = (Biquad){0.2 + k * 0.01, 0.3, 0.1, -0.4, 0.05 * k, 0, 0};
        float *x = data_floats(n), *y = data_floats(n);
        biquad_run(&bank[0], x, y, n);
        biquad_run(&bank[1], y, y, n);
        data_show("biquad", n, y, n * sizeof *y);
        float *ch[2] = {x, y};
        equalise(bank, 3, ch, 2, n);
        data_show("equalise x", n, x, n * sizeof *x);
        data_show("equalise y", n, y, n * sizeof *y);
        data_show("equalise state", n, bank, sizeof bank);
        int16_t *pcm = data_bytes(2 * n);
        int li = 5, lo = -9;
        dc_block(pcm, n, &li, &lo);
        data_show("dc", lo, pcm, 2 * n);
        float peak = follow_envelope(x, y, n, 0.3f, 0.05f);
        data_show("envelope", (int)(peak * 1000), y, n * sizeof *y);
    }
}
