/* Counters of every kind: by value, of values, of rows. */
#include "data.h"

void histogram(const unsigned char *img, size_t n, unsigned *hist)
{
#pragma scop
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (size_t i = 0; i < n; i++)
        hist[img[i]]++;
#pragma endscop
}

void joint(const uint8_t *a, const uint8_t *b, int n, int *table)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = a[i] >> 5;
        int y = b[i] & 7;
        table[x * 8 + y] += 1;
    }
#pragma endscop
}

void look_up(const uint8_t *in, const float *curve, float *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = curve[in[i]] + curve[255 - in[i]];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned char *a = data_bytes(n), *b = data_bytes(n);
        unsigned hist[256];
        histogram(a, n, hist);
        data_show("histogram", n, hist, sizeof hist);
        int *table = data_ints(64, 10);
        joint(a, b, n, table);
        data_show("joint", n, table, 64 * sizeof *table);
        float *curve = data_floats(256), *out = data_floats(n);
        look_up(a, curve, out, n);
        data_show("look_up", n, out, n * sizeof *out);
    }
}
