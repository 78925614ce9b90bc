/* y = A x, A sparse in compressed rows: row i has the entries row[i] to
 * row[i + 1] - 1, each with its column. `shape` says how they are spread over
 * the rows (rows.h). */
#include "rows.h"

void spmv_csr_init(int n, int m, int nnz, int shape, int row[restrict n + 1],
                   int col[restrict nnz], double val[restrict nnz], double x[restrict m],
                   double y[restrict n])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, nnz, shape);
    for (int j = 0; j < nnz; j++) {
        col[j] = spread(j, m);
        val[j] = value(j);
    }
    for (int k = 0; k < m; k++)
        x[k] = value(k + 7);
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
}

void spmv_csr(int n, int m, int nnz, int shape, int row[restrict n + 1], int col[restrict nnz],
              double val[restrict nnz], double x[restrict m], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = row[i]; j < row[i + 1]; j++)
            sum += val[j] * x[col[j]];
        y[i] = sum;
    }
#pragma endscop
}
