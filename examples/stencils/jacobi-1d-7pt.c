/* Jacobi iteration on a line: every inner point becomes the mean of itself and
 * three neighbours on each side. The three points at each end keep their values.
 * A jacobi-1d (7pt) is among the kernels of Grosser et al., Split Tiling for GPUs
 * (GPGPU-6, 2013), section 6.
 *
 * Storage: all steps. A[t] is the line after t steps; A[0] and the ends of every
 * line are given.
 */
void jacobi_1d_7pt(int tsteps, int n, double A[restrict tsteps + 1][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 3; i < n - 3; i++)
            A[t + 1][i] = 0.142857 * (A[t][i - 3] + A[t][i - 2] + A[t][i - 1]
                                      + A[t][i] + A[t][i + 1] + A[t][i + 2]
                                      + A[t][i + 3]);
#pragma endscop
}
