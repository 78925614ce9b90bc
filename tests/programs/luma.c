#include <stdio.h>
#include <stdlib.h>

static void luma(int n, const unsigned char rgb[restrict 3 * n], unsigned char out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = rgb[3 * i];
        int g = rgb[3 * i + 1];
        int b = rgb[3 * i + 2];
        int y = 77 * r + 150 * g + 29 * b;
        int shifted = y >> 8;
        out[i] = shifted;
    }
#pragma endscop
}

int main(void)
{
    static unsigned char rgb[300], out[100];
    for (int i = 0; i < 300; i++)
        rgb[i] = i * 37 + i / 3;
    luma(100, rgb, out);
    for (int i = 0; i < 100; i++)
        printf("%d ", out[i]);
}
