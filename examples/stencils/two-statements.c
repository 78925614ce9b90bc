/* Two lines that add to each other in turn: figure 6 of Grosser et al., Split
 * Tiling for GPUs (GPGPU-6, 2013), as its loops are printed; the relations in the
 * paper's text have the points in the opposite order. Points n and n + 1 keep
 * their values.
 *
 * Storage: in place, two statements per step.
 */
void two_statements(int tsteps, int n, double A[restrict 2][n + 2])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 0; i < n; i++)
            A[1][i] += A[0][i + 1];
        for (int i = 0; i < n; i++)
            A[0][i] += A[1][i + 2];
    }
#pragma endscop
}
