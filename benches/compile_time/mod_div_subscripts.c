#include "numbers.h"
void shuffle(int *restrict out, const int *restrict in, const int w[7], int n)
{
#pragma scop
    for (int i = 0; i < 6 * n; i++)
        out[i] = in[i / 6 * 3 + i % 3] * w[i % 7];
    for (int i = 0; i < 3 * n; i++)
        out[2 * i + i % 2] += in[i / 3] + w[(i + 3) % 7];
#pragma endscop
}
int main(void)
{
    int o[121], in[61], w[7];
    for (int i = 0; i < 61; i++) in[i] = next_word() % 1000;
    for (int i = 0; i < 7; i++) w[i] = i;
    for (int i = 0; i < 121; i++) o[i] = 0;
    shuffle(o, in, w, 20);
    show("out", o, sizeof o);
}
