/* Polynomials at many points, and a table of the file that levels are looked up in. */
#include "data.h"

static unsigned char levels[256];

static unsigned char level(int v)
{
    if (v < 0)
        return levels[0];
    if (v > 255)
        return levels[255];
    return levels[v];
}

static double horner(const double *c, int degree, double x)
{
    double r = c[degree];
    for (int k = degree - 1; k >= 0; k--)
        r = r * x + c[k];
    return r;
}

void polynomial(int n, int degree, const double *restrict c, const double *restrict x,
                double *restrict y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = horner(c, degree, x[i]);
#pragma endscop
}

void look_up(int n, const int *restrict in, unsigned char *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = level(in[i] - 100);
#pragma endscop
}

int main(void)
{
    for (int k = 0; k < 256; k++)
        levels[k] = (unsigned char)(k * k / 255);
    DATA_EACH(n) {
        double *c = data_doubles(6), *x = data_doubles(n), *y = data_doubles(n);
        polynomial(n, 5, c, x, y);
        data_show("polynomial", n, y, 8 * n);
        int *in = data_ints(n, 500);
        unsigned char *out = data_bytes(n);
        look_up(n, in, out);
        data_show("look_up", n, out, n);
    }
}
