/* Matrices in a structure, whose elements only two functions know how to find. */
#include "data.h"

struct matrix {
    int rows, cols;
    double *restrict data;
};

static inline double get(const struct matrix *m, int i, int j)
{
    return m->data[i * m->cols + j];
}

static inline void set(struct matrix *m, int i, int j, double v)
{
    m->data[i * m->cols + j] = v;
}

void smooth(struct matrix *out, const struct matrix *in)
{
#pragma scop
    for (int i = 1; i < in->rows - 1; i++)
        for (int j = 1; j < in->cols - 1; j++)
            set(out, i, j,
                0.5 * get(in, i, j) + 0.125 * (get(in, i - 1, j) + get(in, i + 1, j) +
                                               get(in, i, j - 1) + get(in, i, j + 1)));
#pragma endscop
}

double trace(const struct matrix *m)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < m->rows; i++)
        sum += get(m, i, i);
#pragma endscop
    return sum;
}

int main(void)
{
    DATA_EACH(n) {
        struct matrix in = {n, n + 3, data_doubles(n * (n + 3))};
        struct matrix out = {n, n + 3, data_doubles(n * (n + 3))};
        smooth(&out, &in);
        double sum = trace(&out);
        data_show("smooth", n, out.data, 8 * n * (n + 3));
        data_show("trace", n, &sum, 8);
    }
}
