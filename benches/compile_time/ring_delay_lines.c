#include "numbers.h"
void reverb(double *restrict out, const double *restrict in, int n)
{
    double a[7], b[11], c[13];
#pragma scop
    for (int i = 0; i < 7; i++) a[i] = 0;
    for (int i = 0; i < 11; i++) b[i] = 0;
    for (int i = 0; i < 13; i++) c[i] = 0;
    for (int i = 0; i < n; i++) {
        double x = in[i] + 0.7 * a[i % 7];
        a[i % 7] = x;
        double y = x + 0.6 * b[i % 11];
        b[i % 11] = y;
        double z = y - 0.5 * c[i % 13];
        c[i % 13] = z;
        out[i] = 0.3 * z + in[i];
    }
#pragma endscop
}
int main(void)
{
    double o[60], in[60];
    fill_doubles(in, 60);
    reverb(o, in, 60);
    show("out", o, sizeof o);
}
