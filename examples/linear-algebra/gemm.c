/* General matrix product: C = alpha A B + beta C.
 *
 * C is ni x nj, A is ni x nk, B is nk x nj. The k loop lies outside the j loop,
 * so that the innermost loop walks along rows of B and C.
 */
void gemm(int ni, int nj, int nk, double alpha, double beta,
          double C[restrict ni][nj], double A[restrict ni][nk],
          double B[restrict nk][nj])
{
#pragma scop
    for (int i = 0; i < ni; i++) {
        for (int j = 0; j < nj; j++)
            C[i][j] *= beta;
        for (int k = 0; k < nk; k++)
            for (int j = 0; j < nj; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
    }
#pragma endscop
}
