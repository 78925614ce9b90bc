/* Heat conduction in a ring: explicit steps with weights 1/4, 1/2, 1/4 (those of
 * heat-1d.c), where the last point is the neighbour of the first.
 *
 * Storage: two buffers. Step t reads A[t % 2] and writes A[(t + 1) % 2].
 */
void heat_1d_periodic(int tsteps, int n, double A[restrict 2][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 0; i < n; i++)
            A[(t + 1) % 2][i] =
                0.25 * (A[t % 2][i == n - 1 ? 0 : i + 1] + 2.0 * A[t % 2][i]
                        + A[t % 2][i == 0 ? n - 1 : i - 1]);
#pragma endscop
}
