#include "numbers.h"
void f(double *restrict b, double *restrict c, const double a[4], int n)
{
#pragma scop
    for (int i = 0; i < 6; i++)
        for (int j = i; j < 6; j++)
            c[6 * i + j] += a[j % 4] * b[i];
    for (int i = 0; i < n; i++)
        b[i] = a[i % 4] + c[i % 36];
#pragma endscop
}
int main(void)
{
    double b[50], c[36], a[4];
    fill_doubles(b, 50); fill_doubles(a, 4); fill_doubles(c, 36);
    f(b, c, a, 50);
    show("b", b, sizeof b);
    show("c", c, sizeof c);
}
