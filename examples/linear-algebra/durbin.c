/* Levinson-Durbin recursion: solves the Yule-Walker equations T y = -r, where T
 * is the symmetric Toeplitz matrix with ones on the diagonal and r[0], r[1], ...
 * on the diagonals next to it.
 *
 * Step k turns the solution of order k into the one of order k + 1. alpha is
 * the new last component (the reflection coefficient), beta the prediction
 * error that remains, and z holds the updated components until the old ones are
 * no longer needed.
 */

/* The sequence 1, 1/2, 1/3, ... falls off convexly, which makes T positive
   definite: |alpha| stays below one and beta above zero. */
void durbin_init(int n, double r[restrict n], double y[restrict n])
{
    for (int i = 0; i < n; i++) {
        r[i] = 1.0 / (i + 2);
        y[i] = 0.0;
    }
}

void durbin(int n, double r[restrict n], double y[restrict n])
{
    double z[n];
    double alpha, beta, sum;

#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (int k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = 0.0;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
