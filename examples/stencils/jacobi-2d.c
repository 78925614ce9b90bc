/* Jacobi iteration on a plane: every inner point becomes the mean of itself and
 * its four neighbours. One time step goes from A to B and back, hence makes
 * two sweeps. The border keeps its values.
 */
void jacobi_2d(int tsteps, int n,
               double A[restrict n][n], double B[restrict n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1]
                                 + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1]
                                 + B[i + 1][j] + B[i - 1][j]);
    }
#pragma endscop
}
