/* Arrays that are read through windows that overlap, or by rows that are longer than what is read of
 * them, and rows that begin somewhere. */
#include "data.h"

/* Energies of frames, the next of which begins before the last one ends. */
void frames(const float *x, const float *window, float *energy, int count, int length, int hop)
{
#pragma scop
    for (int f = 0; f < count; f++) {
        float sum = 0;
        for (int t = 0; t < length; t++) {
            float v = x[f * hop + t] * window[t];
            sum += v * v;
        }
        energy[f] = sum;
    }
#pragma endscop
}

/* Channels of a layer, with steps of any length and a border that is left out. */
void layer(const float *in, const float *weights, float *out, int channels, int h, int w, int kernel,
           int step)
{
    int oh = (h - kernel) / step + 1, ow = (w - kernel) / step + 1;
#pragma scop
    for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
            float sum = 0;
            for (int c = 0; c < channels; c++)
                for (int u = 0; u < kernel; u++)
                    for (int v = 0; v < kernel; v++)
                        sum += in[(c * h + y * step + u) * w + x * step + v] *
                               weights[(c * kernel + u) * kernel + v];
            out[y * ow + x] = sum;
        }
#pragma endscop
}

/* Parts of larger matrices, as linear algebra has them. */
void part_of_product(int m, int n, int k, const float *restrict a, int lda, const float *restrict b,
                     int ldb, float *restrict c, int ldc)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i * lda + p] * b[p * ldb + j];
            c[i * ldc + j] = sum;
        }
#pragma endscop
}

void part_of_columns(long m, long n, const double *a, long lda, const double *x, double *y)
{
#pragma scop
    for (long i = 0; i < m; i++)
        y[i] = 0;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < m; i++)
            y[i] += a[i + j * lda] * x[j];
#pragma endscop
}

/* Rows of which the first begins anywhere. */
void behind(int n, int hop, int start, const float *x, float *y)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int j = 0; j < hop; j++)
            y[start + k * hop + j] = x[k * hop + j] * 0.5f + 1;
#pragma endscop
}

/* Differences of two places whose distance is a size. */
void lagged(const int *x, long *out, int n, int lags, int step)
{
#pragma scop
    for (int l = 0; l < lags; l++) {
        long sum = 0;
        for (int i = 0; i < n; i++)
            sum += (long)x[i] * x[i + l * step];
        out[l] = sum;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        float *x = data_floats(4 * size * size + 64), *y = calloc(4 * size * size + 64, sizeof *y);
        float *w = data_floats(9 * size + 64);
        double *a = malloc((size * size + 64) * sizeof *a), *b = calloc(size + 1, sizeof *b);
        int *v = data_ints(4 * size + 64, 1000);
        long *sums = calloc(size + 8, sizeof *sums);
        for (size_t i = 0; i < size * size + 64; i++)
            a[i] = x[i];
        for (int hop = 0; hop <= 8; hop += 4) {
            frames(x, w, y, n / 4, 6, hop);
            data_show("frames", n, y, size * sizeof *y);
            lagged(v, sums, n, 3, hop);
            data_show("lagged", n, sums, size * sizeof *sums);
        }
        if (n >= 8) {
            for (int step = 1; step <= 3; step++) {
                layer(x, w, y, 2, n, n - 1, 3, step);
                data_show("layer", n, y, size * size * sizeof *y);
            }
            part_of_product(n / 2, n / 3, n / 2, x, n, x + 7, n - 1, y, n);
            data_show("product", n, y, size * size * sizeof *y);
            part_of_columns(n - 1, n / 2, a, n, b, b);
            part_of_columns(n - 1, n / 2, a, n, a + 3, b);
            data_show("columns", n, b, size * sizeof *b);
        }
        behind(n / 2, n, 5, x, y);
        data_show("behind", n, y, size * size * sizeof *y);
        /* Memory that overlaps: what is written is read a moment later, or was read already. */
        behind(n / 2, n, n / 2 * n + 5, y + n / 2 * n, y);
        data_show("behind itself", n, y, 2 * size * size * sizeof *y);
        behind(n / 2, n, 3, y, y);
        frames(y, w, y + 2, n / 4, 6, 2);
        data_show("into itself", n, y, size * size * sizeof *y);
        free(x), free(y), free(w), free(a), free(b), free(v), free(sums);
    }
}
