#include "numbers.h"
void conv(float out[6][10][10], float in[3][12][12], float w[6][3][3][3])
{
#pragma scop
    for (int o = 0; o < 6; o++)
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 10; x++)
                out[o][y][x] = 0;
    for (int o = 0; o < 6; o++)
        for (int c = 0; c < 3; c++)
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < 10; x++)
                    for (int k = 0; k < 9; k++)
                        out[o][y][x] += in[c][y + k / 3][x + k % 3] * w[o][c][k / 3][k % 3];
    for (int o = 0; o < 6; o++)
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 10; x++)
                if (out[o][y][x] < 0) out[o][y][x] = 0;
#pragma endscop
}
static float o[6][10][10], i[3][12][12], w[6][3][3][3];
int main(void)
{
    fill_floats(&i[0][0][0], 432); fill_floats(&w[0][0][0][0], 162);
    conv(o, i, w);
    show("out", o, sizeof o);
}
