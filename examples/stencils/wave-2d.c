/* The wave equation on a square, d2u/dt2 = c^2 (d2u/dx2 + d2u/dy2), by central
 * differences in time and space: the next step needs the two before it,
 *
 *     u(t+1) = 2 u(t) - u(t-1) + r (u_W + u_E + u_N + u_S - 4 u)(t)
 *
 * with r = (c dt / dx)^2 = 1/4, half of the largest for which it is stable. The
 * rim stays at rest.
 *
 * Storage: three buffers. Step t reads u[t % 3] and u[(t + 2) % 3] and writes
 * u[(t + 1) % 3]; u[2] and u[0] are the two steps before the first.
 */
void wave_2d(int tsteps, int n, double u[restrict 3][n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[(t + 1) % 3][i][j] =
                    2.0 * u[t % 3][i][j] - u[(t + 2) % 3][i][j]
                    + 0.25 * (u[t % 3][i][j - 1] + u[t % 3][i][j + 1]
                              + u[t % 3][i - 1][j] + u[t % 3][i + 1][j]
                              - 4.0 * u[t % 3][i][j]);
#pragma endscop
}
