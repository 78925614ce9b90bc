/* Solves L x = b for a lower triangular matrix by forward substitution. */

/* Each row's entries left of the diagonal sum to less than one, the diagonal is
   two: x stays about as large as b. */
void trisolv_init(int n, double L[restrict n][n], double x[restrict n],
                  double b[restrict n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            L[i][j] = j > i ? 0.0 : j == i ? 2.0
                    : ((3 * i + 5 * j) % 7 + 1) / (7.0 * n);
        x[i] = 0.0;
        b[i] = 1.0 + i % 5 * 0.25;
    }
}

void trisolv(int n, double L[restrict n][n], double x[restrict n],
             double b[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
#pragma endscop
}
