/* Steps of gradient descent: with momentum, Adam, and clipping of the gradients. */
#include "data.h"
#include <math.h>

struct param {
    float *value, *grad, *m, *v;
    size_t count;
};

void sgd_momentum(struct param *params, int param_count, float rate, float momentum, float decay)
{
#pragma scop
    for (int p = 0; p < param_count; p++) {
        for (size_t i = 0; i < params[p].count; i++) {
            float g = params[p].grad[i] + decay * params[p].value[i];
            params[p].m[i] = momentum * params[p].m[i] + g;
            params[p].value[i] -= rate * params[p].m[i];
            params[p].grad[i] = 0;
        }
    }
#pragma endscop
}

void adam_step(float *w, const float *g, float *m, float *v, int n, int t, float lr)
{
    const float beta1 = 0.9f, beta2 = 0.999f, eps = 1e-8f;
    float c1 = 1, c2 = 1;
#pragma scop
    for (int i = 0; i < t; i++) {
        c1 *= beta1;
        c2 *= beta2;
    }
    for (int i = 0; i < n; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i];
        v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
        float mh = m[i] / (1 - c1);
        float vh = v[i] / (1 - c2);
        w[i] -= lr * mh / (sqrtf(vh) + eps);
    }
#pragma endscop
}

float clip_gradients(float *grad, int n, float limit)
{
    float norm = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        norm += grad[i] * grad[i];
    norm = sqrtf(norm);
    if (norm > limit) {
        float scale = limit / norm;
        for (int i = 0; i < n; i++)
            grad[i] *= scale;
    }
#pragma endscop
    return norm;
}

int main(void)
{
    DATA_EACH(n) {
        struct param p[2];
        for (int k = 0; k < 2; k++) {
            p[k].count = n + k;
            p[k].value = data_floats(n + k);
            p[k].grad = data_floats(n + k);
            p[k].m = data_floats(n + k);
            p[k].v = data_floats(n + k);
            for (int i = 0; i < n + k; i++)
                p[k].v[i] *= p[k].v[i];
        }
        float norm = clip_gradients(p[0].grad, n, 1.5f);
        data_show("clip", (int)(norm * 1000), p[0].grad, n * sizeof(float));
        adam_step(p[0].value, p[0].grad, p[0].m, p[0].v, n, n % 4 + 1, 0.01f);
        data_show("adam", n, p[0].value, n * sizeof(float));
        sgd_momentum(p, 2, 0.1f, 0.9f, 0.001f);
        data_show("sgd", n, p[0].value, n * sizeof(float));
        data_show("sgd", n, p[1].value, (n + 1) * sizeof(float));
    }
}
