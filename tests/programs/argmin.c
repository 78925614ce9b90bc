#include <stdio.h>
#include <stdlib.h>

static void argmin(int n, int m, const float a[restrict n][m], int at[restrict n], float low[restrict n], float high[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 0;
        float v = a[i][0];
        float w = v;
        for (int j = 1; j < m; j++) {
            float x = a[i][j];
            if (x < v) {
                v = x;
                best = j;
            }
            w = x > w ? x : w;
        }
        int found = best + 1;
        at[i] = found;
        low[i] = v;
        high[i] = w;
    }
#pragma endscop
}

int main(void)
{
    static float a[13][19], l[13], h[13];
    int at[13];
    for (int i = 0; i < 13 * 19; i++)
        a[i / 19][i % 19] = i * 53 % 97;
    argmin(13, 19, a, at, l, h);
    for (int i = 0; i < 13; i++)
        printf("%d %g %g ", at[i], l[i], h[i]);
}
