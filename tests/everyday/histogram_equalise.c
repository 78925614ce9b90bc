/* Histogram equalisation in place. */
#include "data.h"

void equalise(unsigned char *pixels, int n)
{
    unsigned hist[256];
    unsigned char map[256];
    if (n == 0)
        return;
#pragma scop
    for (int i = 0; i < 256; i++)
        hist[i] = 0;
    for (int i = 0; i < n; i++)
        hist[pixels[i]]++;
    unsigned sum = 0;
    for (int i = 0; i < 256; i++) {
        sum += hist[i];
        map[i] = (unsigned char)(sum * 255u / (unsigned)n);
    }
    for (int i = 0; i < n; i++)
        pixels[i] = map[pixels[i]];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned char *p = data_bytes(n * n);
        equalise(p, n * n);
        data_show("equalise", n, p, n * n);
    }
}
