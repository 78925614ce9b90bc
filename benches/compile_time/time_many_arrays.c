#include "numbers.h"
void simulate(int t, int n, double *restrict a, double *restrict b, double *restrict c, double *restrict d, double *restrict e)
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++) b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]) + 0.1 * e[i];
        for (int i = 1; i < n - 1; i++) c[i] = b[i] * a[i] - 0.2 * d[i];
        for (int i = 2; i < n - 2; i++) d[i] = c[i - 1] + c[i + 1] - 2 * b[i];
        for (int i = 2; i < n - 2; i++) e[i] += 0.01 * d[i];
        for (int i = 1; i < n - 1; i++) a[i] = b[i] + 0.01 * e[i];
        a[0] = a[1];
        a[n - 1] = a[n - 2];
    }
#pragma endscop
}
static double m[5][40];
int main(void)
{
    fill_doubles(&m[0][0], 200);
    simulate(4, 40, m[0], m[1], m[2], m[3], m[4]);
    show("m", m, sizeof m);
}
