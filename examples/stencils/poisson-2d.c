/* Poisson's equation on a square, d2u/dx2 + d2u/dy2 = f / h^2 for points at a
 * distance of h: Jacobi iteration with the nine-point Laplacian
 *
 *        1   1  4  1
 *       ---  4 -20 4
 *        6   1  4  1
 *
 * solved for its centre. The rim holds the values at the edge. A nine-point
 * Poisson solver is among the kernels of Grosser et al., Split Tiling for GPUs
 * (GPGPU-6, 2013), section 6.
 *
 * Storage: copied back. Every step writes v from u and then copies v to u.
 */
void poisson_2d(int tsteps, int n, double u[restrict n][n],
                double v[restrict n][n], const double f[restrict n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                v[i][j] = 0.05 * (4.0 * (u[i - 1][j] + u[i + 1][j]
                                         + u[i][j - 1] + u[i][j + 1])
                                  + (u[i - 1][j - 1] + u[i - 1][j + 1]
                                     + u[i + 1][j - 1] + u[i + 1][j + 1])
                                  - 6.0 * f[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}
