/* Rows with mean 0 and variance 1, scaled: rows by pointers. */
#include "data.h"
#include <math.h>

void layer_norm(float *out, const float *inp, const float *weight, const float *bias, int B, int C)
{
#pragma scop
    for (int b = 0; b < B; b++) {
        const float *x = inp + b * C;
        float m = 0.0f;
        for (int i = 0; i < C; i++)
            m += x[i];
        m = m / C;
        float v = 0.0f;
        for (int i = 0; i < C; i++) {
            float xs = x[i] - m;
            v += xs * xs;
        }
        v = v / C;
        float s = 1.0f / sqrtf(v + 1e-5f);
        float *o = out + b * C;
        for (int i = 0; i < C; i++) {
            float n = s * (x[i] - m);
            o[i] = n * weight[i] + bias[i];
        }
    }
#pragma endscop
}

typedef struct { double x, y, vx, vy, m; } body;

void pull(const body *from, body *to, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        body *a = &to[i];
        double ax = 0, ay = 0;
        for (int j = 0; j < m; j++) {
            const body *b = from + j;
            double dx = b->x - a->x, dy = b->y - a->y;
            double f = b->m / (dx * dx + dy * dy + 0.01);
            ax += f * dx;
            ay += f * dy;
        }
        a->vx += ax;
        a->vy += ay;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int rows = n / 2;
        float *in = data_floats(rows * n), *out = data_floats(rows * n);
        float *w = data_floats(n), *b = data_floats(n);
        layer_norm(out, in, w, b, rows, n);
        data_show("layer_norm", n, out, rows * n * sizeof *out);
        layer_norm(in, in, w, b, rows, n);
        data_show("layer_norm in place", n, in, rows * n * sizeof *in);
        body *from = (body *)data_doubles(5 * n), *to = (body *)data_doubles(5 * n);
        pull(from, to, n, n / 2);
        data_show("pull", n, to, n * sizeof *to);
        pull(to, to, n, n);
        data_show("pull, the same", n, to, n * sizeof *to);
    }
}
