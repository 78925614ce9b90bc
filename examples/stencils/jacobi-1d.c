/* Jacobi iteration on a line: every inner point becomes the mean of itself and
 * its two neighbours. One time step goes from A to B and back, hence makes two
 * sweeps. The end points keep their values.
 */
void jacobi_1d(int tsteps, int n, double A[restrict n], double B[restrict n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
        for (int i = 1; i < n - 1; i++)
            A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
    }
#pragma endscop
}
