/* Rows that the program does not read are behind no pointers. */
#include <stdio.h>

static void curves(int n, const float *curve[8], const unsigned char *restrict in,
                   float *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 100; j++)
            out[i * 100 + j] += 1.0f / (2.0f + curve[in[i * 100 + j] & 7][i] *
                                                   curve[in[i * 100 + j] & 7][i]);
#pragma endscop
}

int main(void)
{
    static float low[20], high[20], out[2000];
    static unsigned char in[2000];
    for (int i = 0; i < 20; i++) {
        low[i] = 0.25f * i;
        high[i] = 3.0f - 0.5f * i;
    }
    for (int i = 0; i < 2000; i++) {
        in[i] = i * 7 % 5 < 2 ? 3 : 14;
        out[i] = 1.0f / (i + 1);
    }
    const float *curve[8] = {0};
    curve[3] = low;
    curve[6] = high;
    curves(20, curve, in, out);
    double sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += out[i] * (i % 7 + 1);
    printf("%.9g\n", sum);
    return 0;
}
