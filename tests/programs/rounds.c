#include <stdio.h>

static int jump(const int *restrict a)
{
    int c = 0, s = 0, buf[4];
    for (int i = 0; i < 4; i++)
        buf[i] = 0;
again:
    for (int i = 0; i < 4; i++)
        s += buf[i];
#pragma scop
    for (int i = 0; i < 4; i++)
        buf[i] = a[i] + 2;
#pragma endscop
    if (c++ < 2)
        goto again;
    return s;
}

static int rounds(const int *restrict a)
{
    int x = 1, c = 0, s = 0;
    do {
        s += x;
#pragma scop
        for (int i = 0; i < 4; i++)
            x = x + a[i] + 2;
#pragma endscop
    } while (c++ < 2);
    return s;
}

static int kept(int n)
{
    static int last = 4;
    char name[8] = "abcdefg";
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s = s + last;
    last = s;
    for (int i = 0; i < 5; i++)
        s = s + name[i];
#pragma endscop
    return s;
}

int main(void)
{
    int a[60];
    for (int i = 0; i < 60; i++)
        a[i] = i;
    printf("%d %d %d %d", jump(a), rounds(a), kept(10), kept(5));
}
