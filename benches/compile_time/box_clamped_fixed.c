#include "numbers.h"
#define W 48
#define H 32
static float in[H][W], mid[H][W], out[H][W];
static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
void gauss(const float k[5])
{
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float s = 0;
            for (int d = -2; d <= 2; d++)
                s += k[d + 2] * in[y][clamp(x + d, 0, W - 1)];
            mid[y][x] = s;
        }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float s = 0;
            for (int d = -2; d <= 2; d++)
                s += k[d + 2] * mid[clamp(y + d, 0, H - 1)][x];
            out[y][x] = s;
        }
#pragma endscop
}
int main(void)
{
    float k[5];
    fill_floats(k, 5); fill_floats(&in[0][0], W * H);
    gauss(k);
    show("out", out, sizeof out);
}
