/* Solves A x = b: LU factorisation in place without pivoting, then forward
 * substitution L y = b and back substitution U x = y. L has ones on its
 * diagonal, which are not stored. The scalar w accumulates each sum.
 */

/* Diagonally dominant, so that no pivot comes near zero. */
void ludcmp_init(int n, double A[restrict n][n], double b[restrict n],
                 double x[restrict n], double y[restrict n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i][j] = (7 * i + 2 * j + i * j) % 13 / 13.0 + (i == j ? n : 0);
        b[i] = 1.0 + i % 5 * 0.25;
        x[i] = 0.0;
        y[i] = 0.0;
    }
}

void ludcmp(int n, double A[restrict n][n], double b[restrict n],
            double x[restrict n], double y[restrict n])
{
    double w;

#pragma scop
    /* A = L U */
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
        for (int j = i; j < n; j++) {
            w = A[i][j];
            for (int k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }

    /* L y = b, from the first row down */
    for (int i = 0; i < n; i++) {
        w = b[i];
        for (int j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }

    /* U x = y, from the last row up */
    for (int i = n - 1; i >= 0; i--) {
        w = y[i];
        for (int j = i + 1; j < n; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
#pragma endscop
}
