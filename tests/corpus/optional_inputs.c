/* Layers and filters with inputs that callers may leave out. */
#include "data.h"
#include <math.h>

/* y = x w' + b, the bias and what is added at the end may be missing. */
void linear_layer(const float *x, const float *w, const float *bias, const float *residual,
                  float *y, int rows, int in, int out)
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int o = 0; o < out; o++) {
            float s = bias ? bias[o] : 0.0f;
            for (int i = 0; i < in; i++)
                s += x[r * in + i] * w[o * in + i];
            if (residual != NULL)
                s += residual[r * out + o];
            y[r * out + o] = s;
        }
#pragma endscop
}

/* Softmax of each row over what the mask leaves. */
void masked_softmax(float *scores, const unsigned char *mask, int rows, int cols)
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        float *s = scores + r * cols;
        float top = -INFINITY, sum = 0;
        for (int c = 0; c < cols; c++) {
            if (mask && !mask[r * cols + c])
                s[c] = -INFINITY;
            if (s[c] > top)
                top = s[c];
        }
        for (int c = 0; c < cols; c++) {
            s[c] = top == -INFINITY ? 0 : expf(s[c] - top);
            sum += s[c];
        }
        for (int c = 0; c < cols; c++)
            s[c] = sum > 0 ? s[c] / sum : 0;
    }
#pragma endscop
}

void weighted_moments(const double *v, const double *weight, int n, double *mean, double *var)
{
    double sw = 0, s = 0, q = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double w = weight == NULL ? 1.0 : weight[i];
        sw += w;
        s += w * v[i];
        q += w * v[i] * v[i];
    }
#pragma endscop
    *mean = s / sw;
    *var = q / sw - *mean * *mean;
}

/* Premultiplies by alpha, if there is an alpha plane, and by a gain per channel, if there is one. */
void premultiply(unsigned char *rgb, const unsigned char *alpha, const float *gain, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++) {
                int at = (y * w + x) * 3 + c;
                float v = rgb[at];
                if (gain)
                    v *= gain[c];
                if (alpha)
                    v = v * alpha[y * w + x] / 255;
                rgb[at] = v > 255 ? 255 : (unsigned char)v;
            }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int in = 14, out = 11;
        float *x = data_floats(n * in), *w = data_floats(out * in), *bias = data_floats(out);
        float *y = data_floats(n * out), *z = data_floats(n * out), gain[3] = {1.5f, 0.5f, 1};
        unsigned char *mask = data_bytes(n * out), *rgb = data_bytes(n * 12 * 3);
        for (int k = 0; k < n * out; k++)
            mask[k] &= 1;
        linear_layer(x, w, NULL, NULL, y, n, in, out);
        linear_layer(x, w, bias, y, z, n, in, out);
        linear_layer(x, w, bias, y, y, n, in, out);
        data_show("linear", n, y, n * out * sizeof *y);
        masked_softmax(y, mask, n, out);
        masked_softmax(z, NULL, n, out);
        data_show("masked", n, y, n * out * sizeof *y);
        data_show("softmax", n, z, n * out * sizeof *z);
        double *v = data_doubles(n), *weight = data_doubles(n), m[4];
        weighted_moments(v, NULL, n, m, m + 1);
        weighted_moments(v, weight, n, m + 2, m + 3);
        if (n > 2)
            data_show("moments", n, m, sizeof m);
        premultiply(rgb, NULL, gain, n, 12);
        premultiply(rgb, mask, NULL, n, 11);
        premultiply(rgb, NULL, NULL, n, 12);
        data_show("pixels", n, rgb, n * 12 * 3);
    }
    return 0;
}
