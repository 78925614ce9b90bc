#include <stdio.h>
#include <stdlib.h>

static void histogram(int n, const unsigned char a[restrict n], unsigned h[restrict 16], int shift[restrict n])
{
#pragma scop
    for (int k = 0; k < 16; k++)
        h[k] = 0;
    for (int i = 0; i < n; i++) {
        unsigned char v = a[i];
        int bin = v >> 4;
        int other = bin ^ 5;
        h[bin]++;
        h[other] += 2;
        shift[i] = other + v;
    }
#pragma endscop
}

int main(void)
{
    static unsigned char a[200];
    unsigned h[16];
    int s[200];
    for (int i = 0; i < 200; i++)
        a[i] = i * 31 + i / 5;
    histogram(200, a, h, s);
    for (int i = 0; i < 16; i++)
        printf("%u ", h[i]);
    for (int i = 0; i < 200; i++)
        printf("%d ", s[i]);
}
