/* Values of assignments to parts of complex numbers, and operators in a row that look like what takes a
   part; sizes of texts in parentheses. */
#include <stdio.h>
#include <complex.h>
static void assigned(int n, double complex *restrict z, double complex *restrict w, double *restrict d, const double *restrict x)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        d[i] = (__imag__ z[i] = x[i]);
        w[i] = __real__ z[i] = x[i] + 1;
        d[i] += __real__ w[i] += 2;
        __imag__ w[i] = x[i] * 2, __real__ z[i] -= 1;
        if (x[i] > 3) __imag__ z[i] *= 2; else __real__ z[i] = __imag__ z[i];
        double t = __real__ z[i] = 3; d[i] += t;
        for (int k = 0; k < 3; k++, __imag__ z[i] += k) d[i] += k;
    }
#pragma endscop
}
static void in_a_row(int n, int *restrict o, const int *restrict a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = ~~~!!!!!a[i] + !!!a[i] * 3 + ! ! !a[i] * 7 + ~~~!~!!!a[i] * 5 + ~~~ !~!!!a[i] * 7 + !!!!a[i] * 11 + !!~!!!a[i] + -!!!-a[i] + !!a[i] * 100;
#pragma endscop
}
static void beside(int n, int *restrict o, const int *restrict a, double complex *restrict z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        o[i] = ~~~!!!!!a[i] + ~ ~ ~!!!!!a[i] * 3 + ~~~!~!!!a[i] * 5 + ~~~ !~!!!a[i] * 7;
        __real__ z[i] += ~~~~!!!!!a[i];
        __imag__ z[i] = -__imag__ z[i] + ~__real__(a[i]);
    }
#pragma endscop
}
static void sizes(int n, int *restrict b, const char *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        b[i] += sizeof("abc");
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] += (w == ("xyz")) + i;
#pragma endscop
}
int main(void)
{
    double complex z[9], w[9];
    double d[9], x[9];
    int a[9], o[9], b[9] = {0};
    for (int i = 0; i < 9; i++)
        a[i] = i % 3, x[i] = i * 1.5, z[i] = i + 2 * i * I, w[i] = d[i] = i;
    assigned(9, z, w, d, x);
    in_a_row(9, o, a);
    for (int i = 0; i < 9; i++)
        printf("%g %g %g %g %g %d\n", d[i], creal(z[i]), cimag(z[i]), creal(w[i]), cimag(w[i]), o[i]);
    beside(9, o, a, z);
    sizes(9, b, "x");
    for (int i = 0; i < 9; i++)
        printf("%d %d %g %g\n", o[i], b[i], creal(z[i]), cimag(z[i]));
    return 0;
}
