#include <stdio.h>
#include <stdlib.h>

struct counter {
    int base;
    int step;
    int *hits;
};

static int count(int n, struct counter c, const int *restrict a, int *restrict b)
{
    int *restrict hits = c.hits;
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = c.step;
        int t = s + i;
        c.step = a[i] % 5;
        int u = c.step + t;
        b[i] = u;
        hits[i % 4] += s;
    }
#pragma endscop
    return c.step;
}

static int by_value(int n, struct counter c, const int *restrict a)
{
    struct counter mine = {1, 2, c.hits};
#pragma scop
    for (int i = 0; i < n; i++) {
        int s = c.base;
        int t = s + a[i];
        c.base = t;
        mine.base = mine.base + t % 7;
    }
#pragma endscop
    return c.base + mine.base;
}

int main(void)
{
    int a[40], b[40], h[4] = {0, 0, 0, 0};
    struct counter c = {3, 4, h};
    for (int i = 0; i < 40; i++)
        a[i] = i * 7 % 11;
    printf("%d %d ", count(40, c, a, b), by_value(40, c, a));
    for (int i = 0; i < 40; i++)
        printf("%d ", b[i]);
    for (int i = 0; i < 4; i++)
        printf("%d ", h[i]);
}
