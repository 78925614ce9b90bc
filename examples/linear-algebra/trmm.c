/* Triangular matrix product in place: B = alpha A^T B, where A is m x m, lower
 * triangular with ones on its diagonal (which are not read). Row i of the result
 * needs only the rows of B from i on, so the rows are replaced from the top.
 */
void trmm(int m, int n, double alpha,
          double A[restrict m][m], double B[restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < m; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
#pragma endscop
}
