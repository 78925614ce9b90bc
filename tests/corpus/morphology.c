/* Shapes in pictures of two colours, and a filter of medians. */
#include "data.h"

void dilate(const unsigned char *in, unsigned char *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int hit = 0;
            for (int j = -1; j <= 1 && !hit; j++) {
                if (y + j < 0 || y + j >= h)
                    continue;
                for (int i = -1; i <= 1; i++) {
                    if (x + i < 0 || x + i >= w)
                        continue;
                    if (in[(y + j) * w + x + i]) {
                        hit = 1;
                        break;
                    }
                }
            }
            out[y * w + x] = hit ? 255 : 0;
        }
    }
#pragma endscop
}

/* Erosion along the rows, a window of 2 * r + 1. */
void erode_rows(const uint8_t *src, uint8_t *dst, int w, int h, int r)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int from = x - r < 0 ? 0 : x - r;
            int to = x + r >= w ? w - 1 : x + r;
            uint8_t m = 255;
            for (int i = from; i <= to; i++)
                if (src[y * w + i] < m)
                    m = src[y * w + i];
            dst[y * w + x] = m;
        }
    }
#pragma endscop
}

void median_filter(const uint8_t *src, uint8_t *dst, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++) {
        for (int x = 1; x < w - 1; x++) {
            uint8_t v[9];
            int n = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    v[n++] = src[(y + dy) * w + (x + dx)];
            for (int i = 1; i < 9; i++) {
                uint8_t key = v[i];
                int j = i - 1;
                while (j >= 0 && v[j] > key) {
                    v[j + 1] = v[j];
                    j--;
                }
                v[j + 1] = key;
            }
            dst[y * w + x] = v[4];
        }
    }
#pragma endscop
}

/* Labels of the connected parts, by two sweeps repeated until nothing changes. */
int label_parts(const uint8_t *mask, int *label, int w, int h)
{
    int changed = 1, sweeps = 0;
#pragma scop
    for (int i = 0; i < w * h; i++)
        label[i] = mask[i] ? i + 1 : 0;
    while (changed) {
        changed = 0;
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++) {
                int *l = &label[y * w + x];
                if (*l == 0)
                    continue;
                int best = *l;
                if (x > 0 && l[-1] && l[-1] < best)
                    best = l[-1];
                if (x < w - 1 && l[1] && l[1] < best)
                    best = l[1];
                if (y > 0 && l[-w] && l[-w] < best)
                    best = l[-w];
                if (y < h - 1 && l[w] && l[w] < best)
                    best = l[w];
                if (best < *l) {
                    *l = best;
                    changed = 1;
                }
            }
        }
        sweeps++;
    }
#pragma endscop
    return sweeps;
}

int main(void)
{
    DATA_EACH(n) {
        int w = n, h = n / 2 + 2;
        uint8_t *in = data_bytes(w * h), *out = data_bytes(w * h);
        median_filter(in, out, w, h);
        data_show("median", n, out, w * h);
        erode_rows(in, out, w, h, 3);
        data_show("erode", n, out, w * h);
        for (int i = 0; i < w * h; i++)
            in[i] = in[i] < 100;
        dilate(in, out, w, h);
        data_show("dilate", n, out, w * h);
        int *label = data_ints(w * h, 2);
        int sweeps = label_parts(in, label, w, h);
        data_show("label", sweeps, label, w * h * sizeof *label);
    }
}
