/* LU factorisation without pivoting, in place and row by row. L has ones on its
 * diagonal, which are not stored:
 *
 *   L[i][j] = (A[i][j] - sum_{k<j} L[i][k] U[k][j]) / U[j][j]      for j < i
 *   U[i][j] =  A[i][j] - sum_{k<i} L[i][k] U[k][j]                 for j >= i
 */

/* Diagonally dominant, so that no pivot comes near zero. */
void lu_init(int n, double A[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (3 * i + 5 * j + i * j) % 11 / 11.0 + (i == j ? n : 0);
}

void lu(int n, double A[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[k][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                A[i][j] -= A[i][k] * A[k][j];
    }
#pragma endscop
}
