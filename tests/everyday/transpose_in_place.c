/* A square matrix transposed where it is. */
#include "data.h"

void transpose(int n, double a[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        double *a = data_doubles(n * n);
        transpose(n, (void *)a);
        data_show("transpose", n, a, 8 * n * n);
    }
}
