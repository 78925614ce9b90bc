/* Cholesky factorisation A = L L^T of a symmetric positive definite matrix,
 * in place and row by row:
 *
 *   L[i][j] = (A[i][j] - sum_{k<j} L[i][k] L[j][k]) / L[j][j]      for j < i
 *   L[i][i] = sqrt(A[i][i] - sum_{k<i} L[i][k]^2)
 *
 * Only the lower triangle is read and written.
 */
#include <math.h>
#include <stdlib.h>

/* 1 / (1 + |i-j|) falls off convexly and is therefore positive definite; one
   more on the diagonal keeps every eigenvalue above one. */
void cholesky_init(int n, double A[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = 1.0 / (1 + abs(i - j)) + (i == j);
}

void cholesky(int n, double A[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
#pragma endscop
}
