/* Linear systems of equations with rows of pointers. */
#include "data.h"
#include <math.h>

void matrix_vector(double **a, const double *x, double *y, int rows, int cols)
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        double s = 0.0;
        for (int j = 0; j < cols; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
#pragma endscop
}

/* Returns 0 when the matrix is singular. Rows are swapped by their pointers. */
int lu_decompose(double **a, int *perm, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        perm[i] = i;
    for (int k = 0; k < n; k++) {
        int pivot = k;
        double big = fabs(a[k][k]);
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i][k]) > big) {
                big = fabs(a[i][k]);
                pivot = i;
            }
        }
        if (big < 1e-12)
            return 0;
        if (pivot != k) {
            double *row = a[k];
            a[k] = a[pivot];
            a[pivot] = row;
            int t = perm[k];
            perm[k] = perm[pivot];
            perm[pivot] = t;
        }
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            double f = a[i][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= f * a[k][j];
        }
    }
#pragma endscop
    return 1;
}

void lu_solve(double **lu, const int *perm, const double *b, double *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = b[perm[i]];
        for (int j = 0; j < i; j++)
            x[i] -= lu[i][j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            x[i] -= lu[i][j] * x[j];
        x[i] /= lu[i][i];
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        double *cells = data_doubles(n * n), *x = data_doubles(n), *y = data_doubles(n);
        double **a = malloc((n + 1) * sizeof *a);
        int *perm = data_ints(n, 1);
        for (int i = 0; i < n; i++)
            a[i] = cells + i * n;
        matrix_vector(a, x, y, n, n);
        data_show("times", n, y, n * sizeof *y);
        int ok = lu_decompose(a, perm, n);
        data_show("lu", n, cells, n * n * sizeof *cells);
        data_show("perm", ok, perm, n * sizeof *perm);
        if (ok)
            lu_solve(a, perm, y, x, n);
        data_show("solve", n, x, n * sizeof *x);
    }
}
