#include "numbers.h"
void fir(float *restrict out, const float *restrict in, const float *restrict tap, float ring[16], int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        ring[i % 16] = in[i];
        float s = 0;
        for (int k = 0; k < 16; k++)
            s += tap[k] * ring[(i - k + 16) % 16];
        out[i] = s;
    }
#pragma endscop
}
int main(void)
{
    float o[60], in[60], t[16], r[16] = {0};
    fill_floats(in, 60); fill_floats(t, 16);
    fir(o, in, t, r, 60);
    show("out", o, sizeof o);
}
