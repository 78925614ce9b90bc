#include "numbers.h"
void fft(float *restrict re, float *restrict im, const float *wr, const float *wi)
{
#pragma scop
    for (int s = 0; s < 6; s++)
        for (int k = 0; k < 32; k++) {
            int half = 1 << s;
            int i = (k >> s << (s + 1)) + (k & (half - 1));
            int w = (k & (half - 1)) << (5 - s);
            float tr = re[i + half] * wr[w] - im[i + half] * wi[w];
            float ti = re[i + half] * wi[w] + im[i + half] * wr[w];
            re[i + half] = re[i] - tr;
            im[i + half] = im[i] - ti;
            re[i] += tr;
            im[i] += ti;
        }
#pragma endscop
}
int main(void)
{
    float r[64], i[64], wr[32], wi[32];
    fill_floats(r, 64); fill_floats(i, 64); fill_floats(wr, 32); fill_floats(wi, 32);
    fft(r, i, wr, wi);
    show("re", r, sizeof r);
}
