/* Layers of a network for pictures: convolution, pooling, normalisation of the batch. */
#include "data.h"
#include <float.h>
#include <math.h>

void conv2d(const float *in, const float *weights, const float *bias, float *out, int channels,
            int height, int width, int filters, int ksize, int pad, int stride)
{
    int oh = (height + 2 * pad - ksize) / stride + 1;
    int ow = (width + 2 * pad - ksize) / stride + 1;
#pragma scop
    for (int f = 0; f < filters; f++) {
        for (int oy = 0; oy < oh; oy++) {
            for (int ox = 0; ox < ow; ox++) {
                float acc = bias ? bias[f] : 0.0f;
                for (int c = 0; c < channels; c++) {
                    for (int ky = 0; ky < ksize; ky++) {
                        int iy = oy * stride + ky - pad;
                        if (iy < 0 || iy >= height)
                            continue;
                        for (int kx = 0; kx < ksize; kx++) {
                            int ix = ox * stride + kx - pad;
                            if (ix < 0 || ix >= width)
                                continue;
                            acc += in[(c * height + iy) * width + ix]
                                 * weights[((f * channels + c) * ksize + ky) * ksize + kx];
                        }
                    }
                }
                out[(f * oh + oy) * ow + ox] = acc;
            }
        }
    }
#pragma endscop
}

/* Pools 2 by 2 and keeps the places of the largest, for the way back. */
void max_pool_forward(const float *in, float *out, int *where, int channels, int h, int w)
{
    int ph = h / 2, pw = w / 2;
#pragma scop
    for (int c = 0; c < channels; c++)
        for (int y = 0; y < ph; y++)
            for (int x = 0; x < pw; x++) {
                float best = -FLT_MAX;
                int at = -1;
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < 2; j++) {
                        int k = (c * h + y * 2 + i) * w + x * 2 + j;
                        if (in[k] > best) {
                            best = in[k];
                            at = k;
                        }
                    }
                out[(c * ph + y) * pw + x] = best;
                where[(c * ph + y) * pw + x] = at;
            }
#pragma endscop
}

void max_pool_backward(const float *grad_out, const int *where, float *grad_in, int in_count,
                       int out_count)
{
#pragma scop
    for (int i = 0; i < in_count; i++)
        grad_in[i] = 0.0f;
    for (int i = 0; i < out_count; i++)
        if (where[i] >= 0)
            grad_in[where[i]] += grad_out[i];
#pragma endscop
}

void batch_norm(float *x, int batch, int features, const float *gamma, const float *beta,
                float *running_mean, float *running_var, float momentum)
{
#pragma scop
    for (int f = 0; f < features; f++) {
        float mean = 0, var = 0;
        for (int b = 0; b < batch; b++)
            mean += x[b * features + f];
        mean /= (float)batch;
        for (int b = 0; b < batch; b++) {
            float d = x[b * features + f] - mean;
            var += d * d;
        }
        var /= (float)batch;
        running_mean[f] = momentum * running_mean[f] + (1 - momentum) * mean;
        running_var[f] = momentum * running_var[f] + (1 - momentum) * var;
        float inv = 1.0f / sqrtf(var + 1e-5f);
        for (int b = 0; b < batch; b++)
            x[b * features + f] = gamma[f] * (x[b * features + f] - mean) * inv + beta[f];
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(m) {
        int n = m > 20 ? 20 : m;
        int h = n + 2, w = n + 3, ch = 2, nf = 3;
        float *in = data_floats(ch * h * w), *weights = data_floats(nf * ch * 9);
        float *bias = data_floats(nf), *out = data_floats(nf * h * w);
        int *where = data_ints(nf * h * w, 2);
        conv2d(in, weights, m % 2 ? bias : NULL, out, ch, h, w, nf, 3, 1, 1);
        data_show("conv", m, out, nf * h * w * sizeof *out);
        max_pool_forward(in, out, where, ch, h, w);
        int pooled = ch * (h / 2) * (w / 2);
        data_show("pool", m, out, pooled * sizeof *out);
        max_pool_backward(out, where, in, ch * h * w, pooled);
        data_show("unpool", m, in, ch * h * w * sizeof *out);
        float *mean = data_floats(w), *var = data_floats(w), *g = data_floats(w);
        batch_norm(in, ch * h, w, g, g, mean, var, 0.9f);
        data_show("norm", m, in, ch * h * w * sizeof *out);
        data_show("var", m, var, w * sizeof *var);
    }
}
