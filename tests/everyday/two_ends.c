/* Loops with two variables in their heads: one from each end, or one for each of two arrays. */
#include "data.h"

void reverse(int n, int a[restrict n])
{
#pragma scop
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
#pragma endscop
}

void copy_back(int n, const float *restrict in, float *restrict out)
{
    int i, j;
#pragma scop
    for (i = 0, j = n - 1; i < n; i++, j--) {
        if (in[i] < 0.0f)
            continue;
        out[j] = in[i];
    }
#pragma endscop
}

/* Every second one, the others as they are; returns how far it came. */
int every_second(int n, const int in[restrict n], int out[restrict n])
{
    int i, k;
#pragma scop
    for (i = 0, k = 1; i < n; i += 2, k++) {
        if (in[i] == 3)
            continue;
        out[i] = k * in[i];
    }
#pragma endscop
    return k;
}

/* Pairs of complex numbers in one array, and a running sum. */
double norms(int n, const double *restrict z, double *restrict r)
{
    double sum;
    int i, k;
#pragma scop
    for (i = 0, k = 0, sum = 0.0; i < n; ++i, k += 2) {
        r[i] = z[k] * z[k] + z[k + 1] * z[k + 1];
        sum += r[i];
    }
#pragma endscop
    return sum;
}

void upper(size_t n, double a[restrict n][n])
{
#pragma scop
    for (size_t i = 1, k = n - 1; i < n; i++, k--)
        for (size_t j = 0, m = i; j < k; j++, m++)
            a[j][m] += a[i][j];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *a = data_ints(n, 9), *b = data_ints(n, 9);
        reverse(n, a);
        data_show("reverse", n, a, 4 * n);
        float *x = data_floats(n), *y = data_floats(n);
        copy_back(n, x, y);
        data_show("back", n, y, 4 * n);
        data_show("second", every_second(n, a, b), b, 4 * n);
        double *z = data_doubles(2 * n), *r = data_doubles(n);
        double sum = norms(n, z, r);
        data_show("norms", n, r, 8 * n);
        data_show("sum", n, &sum, 8);
        double *m = data_doubles(n * n);
        upper(n, (double (*)[n])m);
        data_show("upper", n, m, 8 * n * n);
    }
}
