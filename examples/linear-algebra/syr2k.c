/* Symmetric rank-2m update: C = alpha A B^T + alpha B A^T + beta C. The result
 * is symmetric; only its lower triangle is computed. A and B are n x m.
 */
void syr2k(int n, int m, double alpha, double beta,
           double C[restrict n][n], double A[restrict n][m],
           double B[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
    }
#pragma endscop
}
