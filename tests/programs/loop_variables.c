#include <stdio.h>
#include <stdlib.h>

static int last(int n, const int a[restrict n], int b[restrict n])
{
    int i = 7, j, k = 0;
    int first = i;
#pragma scop
    for (i = 0; i < n; i++) {
        int t = i;
        int u = t + first;
        b[i] = a[i] + u;
    }
    while (k < n) {
        int t = k;
        int u = t * 2;
        b[k] += u;
        k++;
    }
    for (j = 0; j < n; j++)
        for (i = 0; i < 3; i++)
            b[j] = b[j] * 3 + i;
#pragma endscop
    return k;
}

int main(void)
{
    int a[40], b[40];
    for (int i = 0; i < 40; i++)
        a[i] = i * 7 % 11;
    printf("%d ", last(40, a, b));
    for (int i = 0; i < 40; i++)
        printf("%d ", b[i]);
}
