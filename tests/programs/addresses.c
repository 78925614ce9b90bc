#include <stdio.h>
#include <stdlib.h>

struct pair {
    int first;
    int rest[4];
};

static int addresses(int n, struct pair p, const int *restrict a)
{
    struct pair s = {0};
    int buf[4], *block = malloc(4 * sizeof(int)), *other, *same;
    int *in_s = &s.first, *in_s_rest = &s.rest[1], *in_p = &p.first, *in_p_rest = p.rest;
    int *in_buf = &buf[0], *in_block = &block[0];
    other = same = malloc(4 * sizeof(int));
#pragma scop
    for (int i = 0; i < n; i++) {
        s.first = s.first + a[i];
        p.first = p.first + a[i];
    }
    for (int i = 0; i < 4; i++) {
        s.rest[i] = a[i] + 5;
        p.rest[i] = a[i] + 6;
        buf[i] = a[i] + 7;
        block[i] = a[i] + 9;
        same[i] = a[i] + 10;
    }
#pragma endscop
    int all = *in_s + 3 * in_s_rest[1] + 5 * *in_p + 7 * in_p_rest[2] + 11 * in_buf[3];
    all += 13 * in_block[2] + 17 * other[1];
    free(block);
    free(same);
    return all;
}

int main(void)
{
    int a[60];
    for (int i = 0; i < 60; i++)
        a[i] = i;
    struct pair p = {3, {1, 2, 3, 4}};
    printf("%d", addresses(60, p, a));
}
