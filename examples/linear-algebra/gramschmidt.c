/* QR decomposition A = Q R by the modified Gram-Schmidt method, for an m x n
 * matrix of full column rank (m >= n).
 *
 * Step k normalises column k of A into column k of Q and at once removes the
 * component along it from all the columns that follow. R is upper triangular;
 * below its diagonal nothing is written. A is used up.
 */
#include <math.h>

/* The dominant diagonal makes the columns independent. */
void gramschmidt_init(int m, int n, double A[restrict m][n],
                      double R[restrict n][n], double Q[restrict m][n])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = (3 * i + 5 * j + i * j) % 17 / 17.0 + (i == j ? n : 0);
            Q[i][j] = 0.0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            R[i][j] = 0.0;
}

void gramschmidt(int m, int n, double A[restrict m][n],
                 double R[restrict n][n], double Q[restrict m][n])
{
    double nrm;

#pragma scop
    for (int k = 0; k < n; k++) {
        nrm = 0.0;
        for (int i = 0; i < m; i++)
            nrm += A[i][k] * A[i][k];
        R[k][k] = sqrt(nrm);
        for (int i = 0; i < m; i++)
            Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < n; j++) {
            R[k][j] = 0.0;
            for (int i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < m; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma endscop
}
