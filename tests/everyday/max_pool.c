/* A layer of a network: maxima over windows of 2 x 2, with where they were. */
#include "data.h"

typedef struct {
    int height, width;
    float *data;
    int *which;
} layer_t;

void max_pool(int h, int w, const float in[restrict h][w], layer_t l)
{
    float *restrict out = l.data;
    int *restrict which = l.which;
#pragma scop
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < w / 2; x++) {
            float best = in[2 * y][2 * x];
            int at = 0;
            for (int k = 1; k < 4; k++) {
                float v = in[2 * y + k / 2][2 * x + k % 2];
                if (v > best) {
                    best = v;
                    at = k;
                }
            }
            out[y * (w / 2) + x] = best;
            which[y * (w / 2) + x] = at;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n, w = n + 3, size = (h / 2) * (w / 2);
        float *in = data_floats(h * w);
        layer_t l = {h / 2, w / 2, data_floats(size), data_ints(size, 7)};
        max_pool(h, w, (void *)in, l);
        data_show("max_pool", n, l.data, 4 * size);
        data_show("which", n, l.which, 4 * size);
    }
}
