/* The median of three neighbours in a signal, ends kept. */
#include "data.h"

void median3(const short *in, short *out, int n)
{
    if (n < 1)
        return;
    out[0] = in[0];
    out[n - 1] = in[n - 1];
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        short a = in[i - 1], b = in[i], c = in[i + 1];
        short t;
        if (a > b) {
            t = a;
            a = b;
            b = t;
        }
        if (b > c)
            b = c;
        out[i] = a > b ? a : b;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        short *in = data_bytes(2 * n), *out = data_bytes(2 * n);
        median3(in, out, n);
        data_show("median3", n, out, 2 * n);
    }
}
