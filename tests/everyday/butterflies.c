/* One pass of a fast Fourier transform, and complex numbers in the order of their reversed bits. */
#include "data.h"

typedef struct { double re, im; } cplx;

void pass(int blocks, int half, cplx x[restrict blocks][2 * half], const cplx w[restrict half])
{
#pragma scop
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < half; k++) {
            cplx u = x[b][k], v = x[b][k + half], t;
            t.re = w[k].re * v.re - w[k].im * v.im;
            t.im = w[k].re * v.im + w[k].im * v.re;
            cplx sum = {u.re + t.re, u.im + t.im};
            cplx difference = {u.re - t.re, u.im - t.im};
            x[b][k] = sum;
            x[b][k + half] = difference;
        }
#pragma endscop
}

void reorder(int n, const cplx in[restrict n], const int order[restrict n], cplx out[restrict n])
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[order[k++]];
#pragma endscop
}

void conjugate_back(int n, cplx x[restrict n])
{
#pragma scop
    for (int lo = 1, hi = n - 1; lo < hi; lo++, hi--) {
        cplx t = x[lo];
        x[lo] = x[hi];
        x[hi] = t;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        cplx *x = (cplx *)data_doubles(4 * n * n), *w = (cplx *)data_doubles(2 * n);
        pass(n, n, (cplx (*)[2 * n])x, w);
        data_show("pass", n, x, sizeof *x * 2 * n * n);
        int *order = data_ints(n, n);
        reorder(n, x, order, w);
        data_show("reorder", n, w, sizeof *w * n);
        conjugate_back(n, w);
        data_show("back", n, w, sizeof *w * n);
    }
}
