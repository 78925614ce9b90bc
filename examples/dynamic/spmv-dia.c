/* y = A x, A sparse by diagonals: diagonal d is offset[d] above the main one,
 * and val[d][i] is its entry in row i. */
#include "rows.h"

void spmv_dia_init(int n, int diagonals, int offset[restrict diagonals],
                   double val[restrict diagonals][n], double x[restrict n], double y[restrict n])
{
    for (int d = 0; d < diagonals; d++)
        offset[d] = spread(d, 2 * n + 3) - n - 1;
    for (int d = 0; d < diagonals; d++)
        for (int i = 0; i < n; i++)
            val[d][i] = value(d * n + i);
    for (int i = 0; i < n; i++) {
        x[i] = value(i + 7);
        y[i] = 0.0;
    }
}

void spmv_dia(int n, int diagonals, int offset[restrict diagonals],
              double val[restrict diagonals][n], double x[restrict n], double y[restrict n])
{
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#pragma scop
    for (int d = 0; d < diagonals; d++)
        for (int i = MAX(0, -offset[d]); i < MIN(n, n - offset[d]); i++)
            y[i] += val[d][i] * x[i + offset[d]];
#pragma endscop
}
