#include <stdio.h>
#include <stdlib.h>

static void bits(int n, const unsigned a[restrict n], int ones[restrict n], unsigned back[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned v = a[i];
        unsigned x = v - ((v >> 1) & 0x55555555u);
        unsigned y = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
        unsigned z = (y + (y >> 4)) & 0x0f0f0f0fu;
        int count = (z * 0x01010101u) >> 24;
        ones[i] = count;
        unsigned r = 0;
        for (int k = 0; k < 32; k++) {
            unsigned bit = (v >> k) & 1u;
            int to = 31 - k;
            r |= bit << to;
        }
        back[i] = r;
    }
#pragma endscop
}

int main(void)
{
    unsigned a[50], b[50];
    int o[50];
    for (int i = 0; i < 50; i++)
        a[i] = i * 2654435761u;
    bits(50, a, o, b);
    for (int i = 0; i < 50; i++)
        printf("%d %u ", o[i], b[i]);
}
