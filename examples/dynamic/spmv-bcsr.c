/* y += A x, A sparse in blocks of 2 x 3, compressed by rows of blocks. */
#include "rows.h"

void spmv_bcsr_init(int n, int m, int blocks, int shape, int row[restrict n + 1],
                    int col[restrict blocks], double val[restrict blocks][2][3],
                    double x[restrict 3 * m], double y[restrict 2 * n])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, blocks, shape);
    for (int j = 0; j < blocks; j++) {
        col[j] = spread(j, m);
        for (int k = 0; k < 6; k++)
            val[j][k / 3][k % 3] = value(6 * j + k);
    }
    for (int k = 0; k < 3 * m; k++)
        x[k] = value(k + 7);
    for (int i = 0; i < 2 * n; i++)
        y[i] = 1.0;
}

void spmv_bcsr(int n, int m, int blocks, int shape, int row[restrict n + 1],
               int col[restrict blocks], double val[restrict blocks][2][3],
               double x[restrict 3 * m], double y[restrict 2 * n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 3; c++)
                    y[2 * i + r] += val[j][r][c] * x[3 * col[j] + c];
#pragma endscop
}
