/* y = A x, A sparse in ELLPACK form: `width` places per row, of which the
 * first length[i] are used; entry k of all rows stands in one row of memory. */
#include "rows.h"

void spmv_ell_init(int n, int m, int width, int shape, int length[restrict n],
                   int col[restrict width][n], double val[restrict width][n],
                   double x[restrict m], double y[restrict n])
{
    int all = n * width / 2;
    for (int i = 0; i < n; i++) {
        int own = row_begin(i + 1, n, all, shape) - row_begin(i, n, all, shape);
        length[i] = own < width ? own : width;
    }
    for (int k = 0; k < width; k++)
        for (int i = 0; i < n; i++) {
            col[k][i] = spread(k * n + i, m);
            val[k][i] = value(k * n + i);
        }
    for (int k = 0; k < m; k++)
        x[k] = value(k + 7);
    for (int i = 0; i < n; i++)
        y[i] = 0.0;
}

void spmv_ell(int n, int m, int width, int shape, int length[restrict n],
              int col[restrict width][n], double val[restrict width][n], double x[restrict m],
              double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int k = 0; k < length[i]; k++)
            y[i] += val[k][i] * x[col[k][i]];
    }
#pragma endscop
}
