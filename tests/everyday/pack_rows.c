/* Rows of a wide picture, one behind the other, and back with gaps. */
#include "data.h"

void pack(const float *in, float *out, int h, int w, int stride)
{
    int k = 0;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            out[k] = in[y * stride + x];
            k++;
        }
#pragma endscop
}

int unpack(const float *in, float *out, int h, int w, int gap)
{
    int to = 1;
#pragma scop
    int from = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            out[to] = in[from] * 0.5f;
            from++;
            to += 1;
        }
        to += gap;
    }
#pragma endscop
    return to;
}

int main(void)
{
    DATA_EACH(n) {
        int w = n + 1, h = n / 2 + 1, stride = w + 3;
        float *in = data_floats(h * stride), *out = data_floats(h * w);
        pack(in, out, h, w, stride);
        data_show("pack", n, out, h * w * sizeof *out);
        float *wide = data_floats(h * stride + 1);
        int end = unpack(out, wide, h, w, 3);
        data_show("unpack", end, wide, h * stride * sizeof *wide);
    }
}
