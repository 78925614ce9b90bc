/* Jacobi iteration on a line: every inner point becomes the mean of itself and
 * two neighbours on each side. The two points at each end keep their values. A
 * jacobi-1d (5pt) is among the kernels of Grosser et al., Split Tiling for GPUs
 * (GPGPU-6, 2013), section 6.
 *
 * Storage: copied back. Every step writes B from A and then copies B to A.
 */
void jacobi_1d_5pt(int tsteps, int n,
                   double A[restrict n], double B[restrict n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 2; i < n - 2; i++)
            B[i] = 0.2 * (A[i - 2] + A[i - 1] + A[i] + A[i + 1] + A[i + 2]);
        for (int i = 2; i < n - 2; i++)
            A[i] = B[i];
    }
#pragma endscop
}
