/* Images as one block of numbers: loops over all of them at once, through structures. */
#include "data.h"

typedef struct {
    int w, h, c;
    float *data;
} image;

void fill(image m, float s)
{
    int i;
#pragma scop
    for (i = 0; i < m.h * m.w * m.c; ++i)
        m.data[i] = s;
#pragma endscop
}

void scale(const image *from, image *to, float by)
{
#pragma scop
    for (int i = 0; i < from->w * from->h * from->c; ++i)
        to->data[i] = from->data[i] * by + 0.5f;
#pragma endscop
}

void gray(image rgb, float *out)
{
    float weights[3] = {0.299f, 0.587f, 0.114f};
#pragma scop
    for (int i = 0; i < rgb.w * rgb.h; i++)
        out[i] = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < rgb.w * rgb.h; i++)
            out[i] += weights[k] * rgb.data[k * rgb.w * rgb.h + i];
#pragma endscop
}

void add(size_t rows, size_t cols, const double *x, const double *y, double *sum)
{
#pragma scop
    for (size_t k = 0; k < rows * cols; k++)
        sum[k] = x[k] + y[k];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        image a = {n, n + 1, 3, data_floats(3 * n * (n + 1))};
        image b = {n, n + 1, 3, data_floats(3 * n * (n + 1))};
        scale(&a, &b, 0.75f);
        data_show("scaled", n, b.data, 4 * 3 * n * (n + 1));
        gray(b, a.data);
        data_show("gray", n, a.data, 4 * 3 * n * (n + 1));
        /* Over itself. */
        gray(b, b.data + 1);
        scale(&b, &b, 2);
        data_show("over", n, b.data, 4 * 3 * n * (n + 1));
        fill(a, 0.25f);
        data_show("filled", n, a.data, 4 * 3 * n * (n + 1));
        double *x = data_doubles(n * n + 1);
        add(n, n, x, x + 1, x);
        data_show("added", n, x, 8 * n * n);
    }
}
