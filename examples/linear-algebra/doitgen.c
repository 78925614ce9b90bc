/* Multiresolution analysis kernel: every row A[r][q][*] of a three-dimensional
 * array is replaced by its product with the np x np matrix C4. The array sum
 * holds the new row while the old one is still needed.
 */
void doitgen(int nr, int nq, int np,
             double A[restrict nr][nq][np], double C4[restrict np][np],
             double sum[restrict np])
{
#pragma scop
    for (int r = 0; r < nr; r++)
        for (int q = 0; q < nq; q++) {
            for (int p = 0; p < np; p++) {
                sum[p] = 0.0;
                for (int s = 0; s < np; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (int p = 0; p < np; p++)
                A[r][q][p] = sum[p];
        }
#pragma endscop
}
