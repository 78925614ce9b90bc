/* Gauss-Seidel iteration on a plane: every inner point becomes the mean of its
 * 3 x 3 neighbourhood, in place, so that each point sees the new values of the
 * points before it and the old values of the points after it. The border keeps
 * its values.
 */
void seidel_2d(int tsteps, int n, double A[restrict n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                           + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
#pragma endscop
}
