/* Arrays that are filled as one block and used by rows, through plain pointers. */
#include "data.h"

/* Sums of differences to the row above. */
void differences(float *sum, const float *img, int h, int w)
{
#pragma scop
    memset(sum, 0, sizeof(float) * h * w);
    for (int y = 1; y < h; y++)
        for (int x = 0; x < w; x++)
            sum[y * w + x] += img[y * w + x] - img[(y - 1) * w + x];
    for (int i = 0; i < h * w; i++)
        sum[i] *= 0.5f;
#pragma endscop
}

typedef struct {
    int rows, cols;
    double *v;
} matrix;

void multiply(const matrix *a, const matrix *b, matrix *c)
{
#pragma scop
    for (int i = 0; i < c->rows * c->cols; i++)
        c->v[i] = 0;
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->cols; k++)
            for (int j = 0; j < b->cols; j++)
                c->v[i * c->cols + j] += a->v[i * a->cols + k] * b->v[k * b->cols + j];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n + 1, w = n + 2, all = h * w;
        float *memory = data_floats(3 * all + 3);
        /* Apart, one behind the other, and overlapping by one, by rows and by all. */
        int places[] = {2 * all, all, all - 1, all - w, w, 1, 0};
        for (int k = 0; k < 7; k++) {
            differences(memory, memory + places[k], h, w);
            data_show("above", n, memory, 4 * (3 * all + 3));
            differences(memory + places[k], memory, h, w);
            data_show("below", n, memory, 4 * (3 * all + 3));
        }
        matrix a = {n, n + 1, data_doubles(n * (n + 1) + 1)};
        matrix b = {n + 1, n + 2, data_doubles((n + 1) * (n + 2))};
        matrix c = {n, n + 2, data_doubles(n * (n + 2))};
        multiply(&a, &b, &c);
        data_show("product", n, c.v, 8 * n * (n + 2));
        matrix last = {n, 1, a.v + n * n}, column = {1, 1, c.v};
        multiply(&last, &column, &a);
        data_show("column", n, a.v, 8 * n * (n + 1));
    }
}
