/* Fixed point for small processors. */
#include "data.h"

typedef int16_t q15_t;

static inline q15_t saturate(int32_t v)
{
    if (v > 32767)
        return 32767;
    if (v < -32768)
        return -32768;
    return (q15_t)v;
}

void fir_q15(const q15_t *coef, int taps, q15_t *history, const q15_t *in, q15_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int k = taps - 1; k > 0; k--)
            history[k] = history[k - 1];
        history[0] = in[i];
        int64_t acc = 0x4000;
        for (int k = 0; k < taps; k++)
            acc += (int32_t)coef[k] * history[k];
        out[i] = saturate((int32_t)(acc >> 15));
    }
#pragma endscop
}

void square_roots(const uint32_t *in, uint16_t *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t v = in[i], root = 0, bit = 1u << 30;
        while (bit > v)
            bit >>= 2;
        while (bit) {
            if (v >= root + bit) {
                v -= root + bit;
                root = (root >> 1) + bit;
            } else {
                root >>= 1;
            }
            bit >>= 2;
        }
        out[i] = (uint16_t)root;
    }
#pragma endscop
}

struct pid {
    int32_t kp, ki, kd;
    int32_t integral, last;
    int32_t limit;
};

/* Runs the controllers of several motors over a trace of set points. */
void pid_run(struct pid *motors, int motor_count, const int32_t *target, int32_t *measured,
             int32_t *output)
{
#pragma scop
    for (int m = 0; m < motor_count; m++) {
        struct pid *c = motors + m;
        int32_t err = target[m] - measured[m];
        c->integral += err;
        if (c->integral > c->limit)
            c->integral = c->limit;
        else if (c->integral < -c->limit)
            c->integral = -c->limit;
        int32_t out = (c->kp * err + c->ki * c->integral + c->kd * (err - c->last)) >> 8;
        c->last = err;
        output[m] = out;
        measured[m] += out / 4;
    }
#pragma endscop
}

/* A sine from a quarter of a table, with interpolation; phase has 16 bits. */
void sine_table(uint16_t phase, uint16_t step, q15_t *out, int n)
{
    static const q15_t quarter[17] = {0, 3212, 6393, 9512, 12539, 15446, 18204, 20787, 23170,
                                      25329, 27245, 28898, 30273, 31356, 32137, 32609, 32767};
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned q = phase >> 14, p = phase & 0x3fff;
        if (q & 1)
            p = 0x4000 - p;
        unsigned idx = p >> 10, frac = p & 0x3ff;
        int v = quarter[idx];
        if (frac)
            v += ((quarter[idx + 1] - quarter[idx]) * (int)frac) >> 10;
        out[i] = (q15_t)(q & 2 ? -v : v);
        phase += step;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        q15_t *coef = data_bytes(2 * 9), *history = data_bytes(2 * 9);
        q15_t *in = data_bytes(2 * n), *out = data_bytes(2 * n);
        fir_q15(coef, 9, history, in, out, n);
        data_show("fir", n, out, 2 * n);
        fir_q15(coef, 4, history, out, out, n);
        data_show("fir in place", n, out, 2 * n);
        square_roots(data_bytes(4 * n), (uint16_t *)out, n);
        data_show("roots", n, out, 2 * n);
        sine_table((uint16_t)(n * 77), (uint16_t)(n * 501 + 3), out, n);
        data_show("sine", n, out, 2 * n);
        struct pid *motors = (struct pid *)data_ints(6 * n, 200);
        int32_t *target = data_ints(n, 500), *measured = data_ints(n, 500);
        int32_t *output = data_ints(n, 2);
        for (int k = 0; k < 3; k++)
            pid_run(motors, n, target, measured, output);
        data_show("pid", n, output, 4 * n);
        data_show("measured", n, measured, 4 * n);
    }
}
