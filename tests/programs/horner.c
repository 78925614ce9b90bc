#include <stdio.h>
#include <stdlib.h>

static void horner(int n, int m, const double c[restrict m], const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double z = x[i];
        double p = 0;
        for (int k = 0; k < m; k++) {
            int back = m - 1 - k;
            double t = p * z;
            p = t + c[back];
        }
        y[i] = p;
    }
#pragma endscop
}

int main(void)
{
    double c[9], x[40], y[40];
    for (int i = 0; i < 9; i++)
        c[i] = i * 0.5 - 1;
    for (int i = 0; i < 40; i++)
        x[i] = i * 0.03;
    horner(40, 9, c, x, y);
    for (int i = 0; i < 40; i++)
        printf("%.17g ", y[i]);
}
