/* A convolution without borders: the result is smaller than the picture. */
#include "data.h"

void convolve(const float *in, const float *w, const float *bias, float *out,
              int channels, int maps, int h, int wd, int k)
{
    int oh = h - k + 1, ow = wd - k + 1;
#pragma scop
    for (int o = 0; o < maps; o++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                float s = bias[o];
                for (int c = 0; c < channels; c++)
                    for (int ky = 0; ky < k; ky++)
                        for (int kx = 0; kx < k; kx++)
                            s += in[(c * h + y + ky) * wd + x + kx]
                               * w[((o * channels + c) * k + ky) * k + kx];
                out[(o * oh + y) * ow + x] = s > 0 ? s : 0;
            }
#pragma endscop
}

void pool(const float *in, float *out, int channels, int h, int w)
{
#pragma scop
    for (int ch = 0; ch < channels; ch++)
        for (int i = 0; i < h / 2; i++)
            for (int j = 0; j < w / 2; j++) {
                float m = -1e30f;
                for (int di = 0; di < 2; di++)
                    for (int dj = 0; dj < 2; dj++) {
                        float v = in[ch * h * w + (2 * i + di) * w + 2 * j + dj];
                        if (v > m)
                            m = v;
                    }
                out[ch * (h / 2) * (w / 2) + i * (w / 2) + j] = m;
            }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n / 2 + 1, w = n / 2 + 2, k = n < 3 ? 1 : 3;
        if (n > 33)
            continue;
        float *in = data_floats(2 * h * w), *weights = data_floats(3 * 2 * k * k);
        float *bias = data_floats(3), *out = data_floats(3 * h * w);
        convolve(in, weights, bias, out, 2, 3, h, w, k);
        data_show("convolve", n, out, 3 * h * w * sizeof *out);
        pool(in, out, 2, h, w);
        data_show("pool", n, out, 2 * (h / 2) * (w / 2) * sizeof *out);
    }
}
