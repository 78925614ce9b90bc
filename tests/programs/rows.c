#include <stdio.h>
#include <stdlib.h>

static void threshold(int h, int w, int (*restrict a)[w], int (*restrict b)[w], int limit)
{
    int low = limit - 3;
    int high = low + 6;
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int v = a[y][x];
            const int d = v - low;
            int r = 0;
            if (v < low)
                r = -1;
            else if (v > high)
                r = 1;
            int k = r * 2 + (d & 1);
            b[y][x] = k;
        }
#pragma endscop
}

int main(void)
{
    static int a[12][17], b[12][17];
    for (int i = 0; i < 204; i++)
        a[i / 17][i % 17] = i * 7 % 31;
    threshold(12, 17, a, b, 15);
    for (int i = 0; i < 204; i++)
        printf("%d ", b[i / 17][i % 17]);
}
