#include <stdio.h>
#include <stdlib.h>

static void sums(int n, const int a[restrict n], long s[restrict n], int d[restrict n])
{
    long total = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        long before = total;
        total += a[i];
        s[i] = total;
        int change = (int)(total - before);
        int twice = change + change;
        d[i] = twice;
    }
#pragma endscop
    printf("%ld ", total);
}

int main(void)
{
    int a[70], d[70];
    long s[70];
    for (int i = 0; i < 70; i++)
        a[i] = i * 17 % 29 - 9;
    sums(70, a, s, d);
    for (int i = 0; i < 70; i++)
        printf("%ld %d ", s[i], d[i]);
}
