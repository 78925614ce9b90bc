/* Products with sparse matrices in several forms, through plain pointers; some results lie in or
 * beside what is read, as far as one element. */
#include "data.h"

void csr(int n, double *y, const double *v, const double *x, const int *start, const int *col)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += v[k] * x[col[k]];
        y[i] = sum;
    }
#pragma endscop
}

/* Rows and columns count from 1, and ends are inclusive. */
void from_one(int n, double *y, const double *v, const double *x, const int *ia, const int *ja)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = ia[i]; k <= ia[i + 1] - 1; k++)
            sum += v[k - 1] * x[ja[k - 1] - 1];
        y[i] = sum;
    }
#pragma endscop
}

void sizes(size_t n, double *y, const double *v, const double *x, const size_t *start,
           const unsigned *col)
{
#pragma scop
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = start[i]; k < start[i + 1]; k++)
            sum += v[k] * x[col[k]];
        y[i] = sum;
    }
#pragma endscop
}

void ell(int n, int width, double *y, const double *v, const double *x, const int *col)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < width; k++)
            sum += v[i * width + k] * x[col[i * width + k]];
        y[i] = sum;
    }
#pragma endscop
}

void coordinates(int nnz, double *y, const double *v, const double *x, const int *row,
                 const int *col)
{
#pragma scop
    for (int k = 0; k < nnz; k++)
        y[row[k]] += v[k] * x[col[k]];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *start = data_ints(n + 1, 1), *col = data_ints(8 * n, n), *row = data_ints(8 * n, n);
        int *behind = data_ints(8 * n, n);
        for (int k = 0; k < 8 * n; k++)
            behind[k]++;
        size_t *wide = malloc((n + 1) * sizeof *wide);
        unsigned *unsigned_col = malloc((8 * n + 1) * sizeof *unsigned_col);
        for (int i = 0; i < n; i++)
            start[i + 1] = start[i] + (int)(data_next() % 7);
        for (int i = 0; i <= n; i++)
            wide[i] = (size_t)start[i];
        for (int k = 0; k < 8 * n; k++)
            unsigned_col[k] = (unsigned)col[k];
        /* x, and y behind it, one element before its end, and in it. */
        double *x = data_doubles(3 * n + 2), *v = data_doubles(8 * n);
        double *where[] = {x + n, n > 0 ? x + n - 1 : x, x, x + n / 2};
        for (int w = 0; w < 4; w++) {
            csr(n, where[w], v, x, start, col);
            sizes((size_t)n, where[w], v, x, wide, unsigned_col);
            ell(n, 3, where[w], v, x, col);
            coordinates(3 * n, where[w], v, x, row, col);
            for (int i = 0; i <= n; i++)
                start[i]++;
            from_one(n, where[w], v, x, start, behind);
            for (int i = 0; i <= n; i++)
                start[i]--;
            data_show("products", n, x, (3 * n + 2) * sizeof *x);
        }
        /* Rows that are not one behind the other. */
        if (n > 2) {
            int first = start[1];
            start[1] = start[2];
            start[2] = first;
            csr(n, x + n, v, x, start, col);
            csr(n, x + n - 1, v, x, start, col);
            data_show("out of order", n, x, (3 * n + 2) * sizeof *x);
        }
        free(start), free(col), free(row), free(behind), free(wide), free(unsigned_col), free(x), free(v);
    }
}
