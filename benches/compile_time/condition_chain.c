#include "numbers.h"
void classify(int *restrict out, const int *restrict in, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int v = in[i];
        if (v < 0) out[i] = -1;
        else if (v == 0) out[i] = 0;
        else if (v < 10) out[i] = v;
        else if (v < 100) out[i] = 10 + v / 10;
        else if (v < 1000) out[i] = 20 + v / 100;
        else if (v < 10000) out[i] = 30 + v / 1000;
        else if (v < 100000) out[i] = 40 + v / 10000;
        else if (v % 2) out[i] = 50;
        else out[i] = 51;
        switch (v & 7) {
        case 0: out[i] += 1; break;
        case 1: out[i] -= 1; break;
        case 2: out[i] *= 2; break;
        case 3: out[i] ^= 5; break;
        case 4: case 5: out[i] |= 8; break;
        default: out[i] = ~out[i];
        }
    }
#pragma endscop
}
int main(void)
{
    int o[50], in[50];
    for (int i = 0; i < 50; i++) in[i] = (int)(next_word() >> (i % 20)) - 5;
    classify(o, in, 50);
    show("out", o, sizeof o);
}
