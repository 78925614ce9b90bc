/* A sparse matrix in compressed rows times a vector. */
#include "data.h"

void spmv(int n, const int *restrict row, const int *restrict col, const double *restrict val,
          const double *restrict x, double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *row = malloc(sizeof(int) * (n + 1));
        row[0] = 0;
        for (int i = 0; i < n; i++)
            row[i + 1] = row[i] + (int)(data_next() % 5);
        int nnz = row[n];
        int *col = data_ints(nnz, n);
        double *val = data_doubles(nnz), *x = data_doubles(n), *y = data_doubles(n);
        spmv(n, row, col, val, x, y);
        data_show("spmv", n, y, 8 * n);
    }
}
