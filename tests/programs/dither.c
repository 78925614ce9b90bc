#include <stdio.h>
#include <stdlib.h>

static void dither(int w, int h, const unsigned char in[restrict h][w], unsigned char out[restrict h][w])
{
    int err[w + 1];
#pragma scop
    for (int x = 0; x <= w; x++)
        err[x] = 0;
    for (int y = 0; y < h; y++) {
        int carry = 0;
        for (int x = 0; x < w; x++) {
            int old = in[y][x] + carry + err[x];
            int bit = old > 127 ? 255 : 0;
            int e = old - bit;
            int half = e / 2;
            out[y][x] = bit;
            carry = half;
            err[x] = e - half;
        }
    }
#pragma endscop
}

int main(void)
{
    static unsigned char in[17][23], out[17][23];
    for (int i = 0; i < 17 * 23; i++)
        in[i / 23][i % 23] = i * 11 + i / 7;
    dither(23, 17, in, out);
    for (int i = 0; i < 17 * 23; i++)
        printf("%d", out[i / 23][i % 23] / 255);
}
