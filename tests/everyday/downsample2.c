/* Halves a signal: pairs are averaged, an odd last sample is kept. */
#include "data.h"

void halve(const float *in, float *out, int n)
{
    int half = n / 2;
#pragma scop
    for (int i = 0; i < half; i++)
        out[i] = 0.5f * (in[2 * i] + in[2 * i + 1]);
    if (n % 2 == 1)
        out[half] = in[n - 1];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        float *in = data_floats(n), *out = data_floats(n);
        halve(in, out, n);
        data_show("halve", n, out, 4 * n);
    }
}
