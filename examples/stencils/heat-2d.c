/* Heat conduction in a plate: explicit Euler steps for du/dt = d2u/dx2 + d2u/dy2
 * with the five-point Laplacian, the second difference along each axis weighted
 * by 1/8. The rim keeps its temperature. The heat-2d of table 8 of Zhao and
 * Cohen (TACO 2019), for which the paper gives sizes and no coefficients.
 *
 * Storage: two buffers. Step t reads A[t % 2] and writes A[(t + 1) % 2].
 */
void heat_2d(int tsteps, int n, double A[restrict 2][n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                A[(t + 1) % 2][i][j] =
                    0.125 * (A[t % 2][i + 1][j] - 2.0 * A[t % 2][i][j]
                             + A[t % 2][i - 1][j])
                    + 0.125 * (A[t % 2][i][j + 1] - 2.0 * A[t % 2][i][j]
                               + A[t % 2][i][j - 1])
                    + A[t % 2][i][j];
#pragma endscop
}
