#include "numbers.h"
void dct(float out[8][8], float in[8][8], float c[8][8])
{
    float t[8][8];
#pragma scop
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            t[i][j] = 0;
            for (int k = 0; k < 8; k++)
                t[i][j] += c[i][k] * in[k][j];
        }
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            out[i][j] = 0;
            for (int k = 0; k < 8; k++)
                out[i][j] += t[i][k] * c[j][k];
        }
#pragma endscop
}
int main(void)
{
    float o[8][8], i[8][8], c[8][8];
    fill_floats(&i[0][0], 64); fill_floats(&c[0][0], 64);
    dct(o, i, c);
    show("dct", o, sizeof o);
}
