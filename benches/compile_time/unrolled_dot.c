#include "numbers.h"
double dot(const double *x, const double *y, int n)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0, r;
#pragma scop
    int i;
    for (i = 0; i + 8 <= n; i += 8) {
        s0 += x[i] * y[i]; s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2]; s3 += x[i + 3] * y[i + 3];
        s4 += x[i + 4] * y[i + 4]; s5 += x[i + 5] * y[i + 5];
        s6 += x[i + 6] * y[i + 6]; s7 += x[i + 7] * y[i + 7];
    }
    r = s0 + s1 + s2 + s3 + (s4 + s5 + s6 + s7);
    for (; i < n; i++)
        r += x[i] * y[i];
#pragma endscop
    return r;
}
int main(void)
{
    double x[45], y[45];
    fill_doubles(x, 45); fill_doubles(y, 45);
    double r = dot(x, y, 45);
    show("dot", &r, sizeof r);
}
