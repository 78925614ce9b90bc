/* Conditions in loops that compare what sizes make of their variables: borders of windows with steps,
 * distances and margins that are arguments. */
#include "data.h"

/* What came before, every `step`-th of it. */
void causal(const float *x, const float *taps, float *y, int n, int count, int step)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int t = 0; t < count; t++) {
            int p = i - t * step;
            if (p >= 0)
                sum += x[p] * taps[t];
        }
        y[i] = sum;
    }
#pragma endscop
}

/* A layer with a margin of zeros that is not there. */
void margin(const float *in, const float *weights, float *out, int channels, int h, int w, int kernel,
            int step, int pad)
{
    int oh = (h + 2 * pad - kernel) / step + 1, ow = (w + 2 * pad - kernel) / step + 1;
#pragma scop
    for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
            float sum = 0;
            for (int c = 0; c < channels; c++)
                for (int u = 0; u < kernel; u++)
                    for (int v = 0; v < kernel; v++) {
                        int iy = y * step + u - pad, ix = x * step + v - pad;
                        if (iy >= 0 && iy < h && ix >= 0 && ix < w)
                            sum += in[(c * h + iy) * w + ix] * weights[(c * kernel + u) * kernel + v];
                    }
            out[y * ow + x] = sum;
        }
#pragma endscop
}

/* Columns for a product, whose row says which channel and which weight they are for. */
void columns(const float *im, int channels, int h, int w, int kernel, int step, int pad, float *col)
{
    int oh = (h + 2 * pad - kernel) / step + 1, ow = (w + 2 * pad - kernel) / step + 1;
#pragma scop
    for (int q = 0; q < channels * kernel * kernel; q++) {
        int left = q % kernel, down = q / kernel % kernel, c = q / kernel / kernel;
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                int row = down + y * step - pad, at = left + x * step - pad;
                col[(q * oh + y) * ow + x] =
                    row < 0 || at < 0 || row >= h || at >= w ? 0 : im[(c * h + row) * w + at];
            }
    }
#pragma endscop
}

/* Both ends, and what is written in place of what is not there. */
void shifted(const int *a, int *b, int n, int lags, int step)
{
#pragma scop
    for (int l = 0; l < lags; l++)
        for (int i = 0; i < n; i++)
            if (i + l * step < n && i - l * step >= 0)
                b[l * n + i] = a[i + l * step] - a[i - l * step];
            else
                b[l * n + i] = -1;
#pragma endscop
}

/* Conditions inside conditions, on data as well. */
void marked(const unsigned char *mark, double *sum, const double *x, int n, int rows, int step)
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n; i++)
            if (r * step < n) {
                if (i >= r * step) {
                    double v = x[i - r * step];
                    if (mark[i])
                        sum[i] += v;
                    sum[i] *= 0.5;
                }
                if (i == r * step)
                    sum[i] += 1;
            }
#pragma endscop
}

/* Of 64 bits, and equal to one place. */
void diagonal(float *m, long n, long step, long at)
{
#pragma scop
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            if (j == i * step + at)
                m[i * n + j] += 1;
            if (j < i * step && at != 0)
                m[i * n + j] *= 0.5f;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        float *x = data_floats(4 * size * size + 64), *y = calloc(4 * size * size + 256, sizeof *y);
        float *w = data_floats(64);
        int *a = data_ints(size + 1, 100), *b = calloc(4 * size + 1, sizeof *b);
        double *d = malloc((size + 1) * sizeof *d), *sum = calloc(size + 1, sizeof *sum);
        unsigned char *mark = data_bytes(size + 1);
        for (size_t i = 0; i <= size; i++)
            d[i] = x[i], mark[i] &= 1;
        for (int step = 0; step <= 3; step++) {
            causal(x, w, y, n, 9, step);
            data_show("causal", n, y, size * sizeof *y);
            shifted(a, b, n, 4, step);
            data_show("shifted", n, b, 4 * size * sizeof *b);
            marked(mark, sum, d, n, 5, step);
            data_show("marked", n, sum, size * sizeof *sum);
            diagonal(x, n, step, step - 1);
            data_show("diagonal", n, x, size * size * sizeof *x);
            if (step > 0 && n > 0) {
                margin(x, w, y, 2, n, n + 1, 3, step, 2);
                data_show("margin", n, y, size * sizeof *y);
                columns(x, 2, n / 4, n / 4, 2, step, 1, y);
                data_show("columns", n, y, size * sizeof *y);
            }
        }
        diagonal(x, n, -1, n - 1);
        data_show("diagonal", n, x, size * size * sizeof *x);
        free(x), free(y), free(w), free(a), free(b), free(d), free(sum), free(mark);
    }
}
