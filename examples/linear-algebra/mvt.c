/* A matrix and its transpose, each times a vector:
 *
 *   x1 = x1 + A y_1
 *   x2 = x2 + A^T y_2
 */
void mvt(int n, double x1[restrict n], double x2[restrict n],
         double y_1[restrict n], double y_2[restrict n],
         double A[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x1[i] = x1[i] + A[i][j] * y_1[j];

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x2[i] = x2[i] + A[j][i] * y_2[j];
#pragma endscop
}
