#include <stdio.h>
#include <stdlib.h>

static int loop(int n, const int *restrict a)
{
    int x = 0;
    for (int t = 0; t < 3; t++) {
        x = 0;
#pragma scop
        for (int i = 0; i < n; i++)
            x = x + a[i];
#pragma endscop
    }
    return x;
}

static int cases(int n, int k, const int *restrict a)
{
    int x = 0, y = 7;
#pragma scop
    for (int i = 0; i < n; i++)
        x = x + a[i];
#pragma endscop
    switch (k) {
    case 0:
        x = 0;
        break;
    case 1:
        y = x;
        break;
    }
    return y;
}

static int extent(int n, const int *restrict a)
{
    int x = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        x = x + a[i];
#pragma endscop
    char tmp[x];
    return (int)sizeof tmp;
}

int main(void)
{
    int a[60];
    for (int i = 0; i < 60; i++)
        a[i] = i;
    printf("%d %d %d %d", loop(60, a), cases(60, 0, a), cases(60, 1, a), extent(60, a));
}
