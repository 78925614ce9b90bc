/* The sparse symmetric product of SPEC's equake: A has blocks of 3 x 3, and of
 * A[i][j] and A[j][i] only one is stored, in row Aindex[i] to Aindex[i + 1] - 1,
 * the one on the diagonal first. */
#include "rows.h"

void smvp_init(int nodes, int blocks, int shape, double A[restrict blocks][3][3],
               int Acol[restrict blocks], int Aindex[restrict nodes + 1],
               double v[restrict nodes][3], double w[restrict nodes][3])
{
    for (int i = 0; i <= nodes; i++)
        Aindex[i] = i + row_begin(i, nodes, blocks - nodes, shape);
    for (int j = 0; j < blocks; j++) {
        Acol[j] = spread(j, nodes);
        for (int k = 0; k < 9; k++)
            A[j][k / 3][k % 3] = value(9 * j + k);
    }
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 3; k++) {
            v[i][k] = value(3 * i + k);
            w[i][k] = 0.0;
        }
}

void smvp(int nodes, int blocks, int shape, double A[restrict blocks][3][3],
          int Acol[restrict blocks], int Aindex[restrict nodes + 1],
          double v[restrict nodes][3], double w[restrict nodes][3])
{
    int i, j, col, Anext, Alast;
    double sum[3];
#pragma scop
    for (i = 0; i < nodes; i++) {
        Anext = Aindex[i];
        Alast = Aindex[i + 1];
        for (j = 0; j < 3; j++)
            sum[j] = A[Anext][j][0] * v[i][0] + A[Anext][j][1] * v[i][1] + A[Anext][j][2] * v[i][2];
        Anext++;
        while (Anext < Alast) {
            col = Acol[Anext];
            for (j = 0; j < 3; j++) {
                sum[j] += A[Anext][j][0] * v[col][0] + A[Anext][j][1] * v[col][1]
                          + A[Anext][j][2] * v[col][2];
                w[col][j] += A[Anext][0][j] * v[i][0] + A[Anext][1][j] * v[i][1]
                             + A[Anext][2][j] * v[i][2];
            }
            Anext++;
        }
        for (j = 0; j < 3; j++)
            w[i][j] += sum[j];
    }
#pragma endscop
}
