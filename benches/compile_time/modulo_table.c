#include "numbers.h"
void weigh(double *restrict out, const double *restrict in, const double a[4], int n)
{
    double t[8];
#pragma scop
    for (int i = 0; i < 8; i++) {
        t[i] = 0;
        for (int j = 0; j <= i; j++)
            t[i] += in[j] * a[i % 4];
    }
    for (int i = 0; i < n; i++)
        out[i] = t[i % 8] * a[i % 4];
#pragma endscop
}
int main(void)
{
    double out[40], in[8], a[4];
    fill_doubles(in, 8); fill_doubles(a, 4);
    weigh(out, in, a, 40);
    show("weigh", out, sizeof out);
}
