/* Y = A X for several vectors at once, A sparse in compressed rows. */
#include "rows.h"

void spmm_init(int n, int m, int nnz, int vectors, int shape, int row[restrict n + 1],
               int col[restrict nnz], double val[restrict nnz], double X[restrict m][vectors],
               double Y[restrict n][vectors])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, nnz, shape);
    for (int j = 0; j < nnz; j++) {
        col[j] = spread(j, m);
        val[j] = value(j);
    }
    for (int k = 0; k < m; k++)
        for (int v = 0; v < vectors; v++)
            X[k][v] = value(k * vectors + v);
    for (int i = 0; i < n; i++)
        for (int v = 0; v < vectors; v++)
            Y[i][v] = 0.0;
}

void spmm(int n, int m, int nnz, int vectors, int shape, int row[restrict n + 1],
          int col[restrict nnz], double val[restrict nnz], double X[restrict m][vectors],
          double Y[restrict n][vectors])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int v = 0; v < vectors; v++)
            Y[i][v] = 0.0;
        for (int j = row[i]; j < row[i + 1]; j++)
            for (int v = 0; v < vectors; v++)
                Y[i][v] += val[j] * X[col[j]][v];
    }
#pragma endscop
}
