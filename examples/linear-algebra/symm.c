/* Symmetric matrix product: C = alpha A B + beta C, where A is symmetric and
 * only its lower triangle is stored. B and C are m x n.
 *
 * Each stored A[i][k] with k < i stands for two entries of A: as A[k][i] it adds
 * B[i][j] to row k of C, as A[i][k] it adds B[k][j] to row i, which temp2
 * collects.
 */
void symm(int m, int n, double alpha, double beta,
          double C[restrict m][n], double A[restrict m][m],
          double B[restrict m][n])
{
    double temp2;

#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            temp2 = 0.0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
#pragma endscop
}
