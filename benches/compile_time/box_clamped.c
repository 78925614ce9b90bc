#include "numbers.h"
void box(int w, int h, uint8_t out[h][w], uint8_t in[h][w])
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++) {
                    int yy = y + dy < 0 ? 0 : y + dy >= h ? h - 1 : y + dy;
                    int xx = x + dx < 0 ? 0 : x + dx >= w ? w - 1 : x + dx;
                    s += in[yy][xx];
                }
            out[y][x] = s / 25;
        }
#pragma endscop
}
static uint8_t o[10][13], i[10][13];
int main(void)
{
    fill(i, sizeof i);
    box(13, 10, o, i);
    show("o", o, sizeof o);
}
