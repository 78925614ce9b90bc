/* A fully connected layer with its rectifier, forward and backward. */
#include "data.h"
#include <math.h>

typedef struct {
    int inputs, outputs;
    float *weights;   /* outputs rows of inputs */
    float *biases;
    float *grad_weights;
    float *grad_biases;
} Layer;

void layer_forward(const Layer *l, const float *in, float *out, int batch)
{
#pragma scop
    for (int b = 0; b < batch; b++) {
        const float *x = in + b * l->inputs;
        float *y = out + b * l->outputs;
        for (int o = 0; o < l->outputs; o++) {
            const float *w = l->weights + o * l->inputs;
            float sum = l->biases[o];
            for (int i = 0; i < l->inputs; i++)
                sum += w[i] * x[i];
            y[o] = sum > 0 ? sum : 0;
        }
    }
#pragma endscop
}

void layer_backward(Layer *l, const float *in, const float *out, const float *grad_out,
                    float *grad_in, int batch)
{
#pragma scop
    for (int b = 0; b < batch; b++) {
        for (int i = 0; i < l->inputs; i++)
            grad_in[b * l->inputs + i] = 0;
        for (int o = 0; o < l->outputs; o++) {
            float g = grad_out[b * l->outputs + o];
            if (out[b * l->outputs + o] <= 0)
                continue;
            l->grad_biases[o] += g;
            for (int i = 0; i < l->inputs; i++) {
                l->grad_weights[o * l->inputs + i] += g * in[b * l->inputs + i];
                grad_in[b * l->inputs + i] += g * l->weights[o * l->inputs + i];
            }
        }
    }
#pragma endscop
}

enum activation { LINEAR, RELU, LEAKY, TANH, SIGMOID };

void activate(float *x, int n, enum activation kind)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (kind) {
        case LINEAR:
            break;
        case RELU:
            x[i] = x[i] > 0 ? x[i] : 0;
            break;
        case LEAKY:
            x[i] = x[i] > 0 ? x[i] : 0.01f * x[i];
            break;
        case TANH:
            x[i] = tanhf(x[i]);
            break;
        case SIGMOID:
            x[i] = 1.0f / (1.0f + expf(-x[i]));
            break;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int in = n / 2 + 1, out = n / 3 + 1, batch = n > 20 ? 20 : n;
        Layer l = {in, out, data_floats(in * out), data_floats(out),
                   data_floats(in * out), data_floats(out)};
        float *x = data_floats(in * batch), *y = data_floats(out * batch);
        float *gy = data_floats(out * batch), *gx = data_floats(in * batch);
        layer_forward(&l, x, y, batch);
        data_show("forward", n, y, out * batch * sizeof *y);
        layer_backward(&l, x, y, gy, gx, batch);
        data_show("backward in", n, gx, in * batch * sizeof *gx);
        data_show("backward weights", n, l.grad_weights, in * out * sizeof *gx);
        activate(x, in * batch, (enum activation)(n % 5));
        data_show("activate", n, x, in * batch * sizeof *x);
    }
}
