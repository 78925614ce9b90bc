/* Effects on blocks of samples: an echo with a delay line, soft clipping, and a stereo mix. */
#include "data.h"

struct echo {
    float *line;
    int length;
    int pos;
    float feedback;
    float wet;
};

void echo_process(struct echo *e, float *samples, int count)
{
    int pos = e->pos;
#pragma scop
    for (int i = 0; i < count; i++) {
        float delayed = e->line[pos];
        e->line[pos] = samples[i] + delayed * e->feedback;
        samples[i] = samples[i] * (1.0f - e->wet) + delayed * e->wet;
        if (++pos >= e->length)
            pos = 0;
    }
#pragma endscop
    e->pos = pos;
}

static inline float soft_clip_one(float x)
{
    if (x > 1.0f)
        return 2.0f / 3.0f;
    if (x < -1.0f)
        return -2.0f / 3.0f;
    return x - x * x * x / 3.0f;
}

void soft_clip(float *buf, size_t n, float drive)
{
#pragma scop
    for (size_t i = 0; i < n; i++)
        buf[i] = soft_clip_one(buf[i] * drive);
#pragma endscop
}

/* Adds a mono source to an interleaved stereo bus, ramping the gain from g0 to g1. */
void mix_panned(int16_t *bus, const int16_t *mono, int frames, float g0, float g1, float pan)
{
    if (frames <= 0)
        return;
    float gain = g0, step = (g1 - g0) / (float)frames;
    float left = 1.0f - pan, right = pan;
#pragma scop
    for (int i = 0; i < frames; i++) {
        float s = (float)mono[i] * gain;
        int l = bus[2 * i] + (int)(s * left);
        int r = bus[2 * i + 1] + (int)(s * right);
        if (l > 32767) l = 32767;
        if (l < -32768) l = -32768;
        if (r > 32767) r = 32767;
        if (r < -32768) r = -32768;
        bus[2 * i] = (int16_t)l;
        bus[2 * i + 1] = (int16_t)r;
        gain += step;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        struct echo e = {data_floats(7), 7, 3, 0.5f, 0.3f};
        float *x = data_floats(n);
        echo_process(&e, x, n);
        echo_process(&e, x, n);
        data_show("echo", e.pos, x, n * sizeof *x);
        soft_clip(x, n, 2.5f);
        data_show("clip", n, x, n * sizeof *x);
        int16_t *bus = data_bytes(4 * n), *mono = data_bytes(2 * n);
        mix_panned(bus, mono, n, 0.2f, 0.9f, 0.3f);
        data_show("mix", n, bus, 4 * n);
    }
}
