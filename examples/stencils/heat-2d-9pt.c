/* Heat conduction in a plate: explicit Euler steps with the nine-point Laplacian
 * whose leading error is the same in all directions,
 *
 *        1   1  4  1
 *       ---  4 -20 4
 *        6   1  4  1
 *
 * weighted by 3/16. The rim keeps its temperature.
 *
 * Storage: a pair of arrays. One time step goes from A to B and back, hence
 * makes two sweeps.
 */
void heat_2d_9pt(int tsteps, int n,
                 double A[restrict n][n], double B[restrict n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                B[i][j] = 0.375 * A[i][j]
                          + 0.125 * (A[i - 1][j] + A[i + 1][j]
                                     + A[i][j - 1] + A[i][j + 1])
                          + 0.03125 * (A[i - 1][j - 1] + A[i - 1][j + 1]
                                       + A[i + 1][j - 1] + A[i + 1][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = 0.375 * B[i][j]
                          + 0.125 * (B[i - 1][j] + B[i + 1][j]
                                     + B[i][j - 1] + B[i][j + 1])
                          + 0.03125 * (B[i - 1][j - 1] + B[i - 1][j + 1]
                                       + B[i + 1][j - 1] + B[i + 1][j + 1]);
    }
#pragma endscop
}
