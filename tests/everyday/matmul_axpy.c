/* A product of matrices, row by row, with the operations of a small vector library. */
#include "data.h"

static void clear(int n, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
}

static void axpy(int n, double a, const double *x, double *y)
{
    if (a == 0)
        return;
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

void matmul(int n, int m, double C[restrict n][m], double A[restrict n][n], double B[restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        clear(m, C[i]);
        for (int k = 0; k < n; k++)
            axpy(m, A[i][k], B[k], C[i]);
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int m = n / 2 + 2;
        double *c = data_doubles(n * m), *a = data_doubles(n * n), *b = data_doubles(n * m);
        matmul(n, m, (void *)c, (void *)a, (void *)b);
        data_show("matmul", n, c, 8 * n * m);
    }
}
