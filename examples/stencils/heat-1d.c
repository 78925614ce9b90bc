/* Heat conduction in a rod: explicit steps with weights 1/4, 1/2, 1/4, as in
 * figure 1 of Zhao and Cohen (TACO 2019). The ends keep their temperature.
 *
 * Storage: two buffers. Step t reads A[t % 2] and writes A[(t + 1) % 2]; row 0
 * holds the temperatures at the beginning, and both rows those of the ends.
 */
void heat_1d(int tsteps, int n, double A[restrict 2][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i < n - 1; i++)
            A[(t + 1) % 2][i] = 0.25 * (A[t % 2][i + 1] + 2.0 * A[t % 2][i]
                                        + A[t % 2][i - 1]);
#pragma endscop
}
