/* An echo: each sample gets one that is `delay` old from a ring of a power of two. */
#include "data.h"

void echo(unsigned n, float *restrict x, float *restrict ring, unsigned mask, unsigned delay)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        float old = ring[(i - delay) & mask];
        ring[i & mask] = x[i];
        x[i] = 0.7f * x[i] + 0.3f * old;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        float *x = data_floats(n), *ring = data_floats(16);
        echo(n, x, ring, 15, 5);
        data_show("echo", n, x, 4 * n);
        data_show("ring", n, ring, 64);
    }
}
