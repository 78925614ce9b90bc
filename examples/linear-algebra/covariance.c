/* Covariance matrix of m variables, of which data holds n observations (n > 1):
 * one row for each observation, one column for each variable.
 *
 *   mean[j]   = sum_i data[i][j] / n
 *   cov[i][j] = sum_k (data[k][i] - mean[i]) (data[k][j] - mean[j]) / (n - 1)
 *
 * The matrix is symmetric: the upper triangle is computed and copied to the
 * lower. data is left centred.
 */
void covariance(int m, int n, double data[restrict n][m],
                double cov[restrict m][m], double mean[restrict m])
{
    double float_n = n;

#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] -= mean[j];

    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                cov[i][j] += data[k][i] * data[k][j];
            cov[i][j] /= float_n - 1.0;
            cov[j][i] = cov[i][j];
        }
#pragma endscop
}
