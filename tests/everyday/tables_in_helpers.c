/* Small tables of constants where they are needed: in helpers, in loops, as literals. */
#include "data.h"

static inline int smooth(const uint8_t *p, int stride)
{
    static const int w[3] = {1, 2, 1};
    return (p[-stride] * w[0] + p[0] * w[1] + p[stride] * w[2] + 2) / 4;
}

static inline int gradient(const uint8_t *p, int stride)
{
    static const signed char kernel[3][3] = {{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
    int sum = 0;
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            sum += kernel[y][x] * p[(y - 1) * stride + x - 1];
    return sum;
}

static inline char digit(int x)
{
    static const char digits[] = "0123456789abcdef";
    return digits[x & 15];
}

static double dot3(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += a[k] * b[k];
    return sum;
}

static void edges(int w, int h, const uint8_t *restrict in, uint8_t *restrict soft, int *restrict edge)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            soft[y * w + x] = (uint8_t)smooth(&in[y * w + x], w);
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            edge[y * w + x] = gradient(&in[y * w + x], w);
#pragma endscop
}

static void hex(int n, const uint8_t *restrict in, char *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[2 * i] = digit(in[i] >> 4);
        out[2 * i + 1] = in[i] > 3 ? digit(in[i]) : '0';
    }
#pragma endscop
}

static void weighted(int n, const double *restrict in, double *restrict out, int *restrict marks)
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        static const int days[] = {31, 28, 31, 30};
        out[i] = dot3(in + i - 1, (double[]){0.25, 0.5, 0.25});
        marks[i] += (int[]){7, -5, 3}[i % 3] * days[marks[i] & 3];
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *in = data_bytes(n * n), *soft = data_bytes(n * n);
        int *edge = data_ints(n * n, 9);
        edges(n, n, in, soft, edge);
        data_show("soft", n, soft, n * n);
        data_show("edge", n, edge, n * n * sizeof *edge);
        char *text = data_bytes(2 * n);
        hex(n, in, text);
        data_show("hex", n, text, 2 * n);
        double *p = data_doubles(n), *q = data_doubles(n);
        int *marks = data_ints(n, 100);
        weighted(n, p, q, marks);
        data_show("weighted", n, q, n * sizeof *q);
        data_show("marks", n, marks, n * sizeof *marks);
    }
}
