/* Correlation matrix of m variables, of which data holds n observations: one
 * row for each observation, one column for each variable.
 *
 *   mean[j]    = sum_i data[i][j] / n
 *   stddev[j]  = sqrt(sum_i (data[i][j] - mean[j])^2 / n)
 *   data[i][j] = (data[i][j] - mean[j]) / (sqrt(n) stddev[j])
 *   corr       = data^T data
 *
 * The diagonal of corr is one and the matrix is symmetric: the upper triangle is
 * computed and copied to the lower. data is left standardised.
 */
#include <math.h>

/* Each column runs through a quadratic in the row number, modulo 13; no column
   is constant from two rows on. */
void correlation_init(int m, int n, double data[restrict n][m],
                      double corr[restrict m][m], double mean[restrict m],
                      double stddev[restrict m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            data[i][j] = (i * i + i * j + 3 * j) % 13 / 4.0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            corr[i][j] = 0.0;
        mean[i] = 0.0;
        stddev[i] = 0.0;
    }
}

void correlation(int m, int n, double data[restrict n][m],
                 double corr[restrict m][m], double mean[restrict m],
                 double stddev[restrict m])
{
    double float_n = n;
    double eps = 0.1;

#pragma scop
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
    }

    for (int j = 0; j < m; j++) {
        stddev[j] = 0.0;
        for (int i = 0; i < n; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] /= float_n;
        stddev[j] = sqrt(stddev[j]);
        /* a variable that hardly varies is only centred: no division by zero */
        stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= sqrt(float_n) * stddev[j];
        }

    for (int i = 0; i < m - 1; i++) {
        corr[i][i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (int k = 0; k < n; k++)
                corr[i][j] += data[k][i] * data[k][j];
            corr[j][i] = corr[i][j];
        }
    }
    corr[m - 1][m - 1] = 1.0;
#pragma endscop
}
