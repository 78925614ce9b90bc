/* Two matrix products: D = alpha A B C + beta D, with tmp = alpha A B.
 *
 * A is ni x nk, B is nk x nj, C is nj x nl, D is ni x nl.
 */
void two_mm(int ni, int nj, int nk, int nl, double alpha, double beta,
            double tmp[restrict ni][nj], double A[restrict ni][nk],
            double B[restrict nk][nj], double C[restrict nj][nl],
            double D[restrict ni][nl])
{
#pragma scop
    /* tmp = alpha A B */
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            tmp[i][j] = 0.0;
            for (int k = 0; k < nk; k++)
                tmp[i][j] += alpha * A[i][k] * B[k][j];
        }

    /* D = tmp C + beta D */
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nl; j++) {
            D[i][j] *= beta;
            for (int k = 0; k < nj; k++)
                D[i][j] += tmp[i][k] * C[k][j];
        }
#pragma endscop
}
