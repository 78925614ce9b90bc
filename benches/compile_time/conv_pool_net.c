#include "numbers.h"
void net(float in[14][14], float w1[4][3][3], float c1[4][12][12], float p1[4][6][6], float w2[8][4][3][3], float c2[8][4][4], float p2[8][2][2], float fc[10][32], float out[10])
{
#pragma scop
    for (int o = 0; o < 4; o++)
        for (int y = 0; y < 12; y++)
            for (int x = 0; x < 12; x++) {
                float s = 0;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        s += in[y + i][x + j] * w1[o][i][j];
                c1[o][y][x] = s > 0 ? s : 0;
            }
    for (int o = 0; o < 4; o++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 6; x++)
                p1[o][y][x] = fmaxf(fmaxf(c1[o][2 * y][2 * x], c1[o][2 * y][2 * x + 1]), fmaxf(c1[o][2 * y + 1][2 * x], c1[o][2 * y + 1][2 * x + 1]));
    for (int o = 0; o < 8; o++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++) {
                float s = 0;
                for (int c = 0; c < 4; c++)
                    for (int i = 0; i < 3; i++)
                        for (int j = 0; j < 3; j++)
                            s += p1[c][y + i][x + j] * w2[o][c][i][j];
                c2[o][y][x] = s > 0 ? s : 0;
            }
    for (int o = 0; o < 8; o++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 2; x++)
                p2[o][y][x] = fmaxf(fmaxf(c2[o][2 * y][2 * x], c2[o][2 * y][2 * x + 1]), fmaxf(c2[o][2 * y + 1][2 * x], c2[o][2 * y + 1][2 * x + 1]));
    for (int k = 0; k < 10; k++) {
        out[k] = 0;
        for (int i = 0; i < 32; i++)
            out[k] += fc[k][i] * p2[i / 4][i / 2 % 2][i % 2];
    }
#pragma endscop
}
static float in[14][14], w1[4][3][3], c1[4][12][12], p1[4][6][6], w2[8][4][3][3], c2[8][4][4], p2[8][2][2], fc[10][32], out[10];
int main(void)
{
    fill_floats(&in[0][0], 196); fill_floats(&w1[0][0][0], 36); fill_floats(&w2[0][0][0][0], 288); fill_floats(&fc[0][0], 320);
    net(in, w1, c1, p1, w2, c2, p2, fc, out);
    show("out", out, sizeof out);
}
