#include <stdio.h>
#include <stdlib.h>

static void prefix(int h, int w, const int a[restrict h][w], long s[restrict h + 1][w + 1])
{
#pragma scop
    for (int x = 0; x <= w; x++)
        s[0][x] = 0;
    for (int y = 0; y < h; y++) {
        long row = 0;
        int up = y;
        int down = up + 1;
        s[down][0] = 0;
        for (int x = 0; x < w; x++) {
            int right = x + 1;
            int v = a[y][x];
            row += v;
            s[down][right] = s[up][right] + row;
        }
    }
#pragma endscop
}

int main(void)
{
    static int a[14][9];
    static long s[15][10];
    for (int i = 0; i < 126; i++)
        a[i / 9][i % 9] = i * 53 % 97 - 40;
    prefix(14, 9, a, s);
    for (int i = 0; i < 150; i++)
        printf("%ld ", s[i / 10][i % 10]);
}
