/* Loops that end at the nearer of several bounds, and what they leave in their variables. */
#include "data.h"

static int up(int n, int m, int *a)
{
    int k;
#pragma scop
    for (k = 2; k < n && k < m; k++)
        a[k] += 3 * k;
#pragma endscop
    return k;
}

static int turned(int n, unsigned char m, int *a)
{
    int k;
#pragma scop
    for (k = 0; n > k && m > k && k < 25; ++k)
        a[k] ^= k;
    for (int i = k; i < n; i++)
        a[i] -= 1;
#pragma endscop
    return k;
}

static int down(int from, int lo, int m, int *a)
{
    int k;
#pragma scop
    for (k = from; k > lo && k > m; k--)
        a[k] += k;
#pragma endscop
    return k;
}

static long going_on(long k, long n, int m, int *a)
{
#pragma scop
    for (; k < n && k < m; k++)
        a[k] *= 5;
#pragma endscop
    return k;
}

static int turns(int n, int m, int *a)
{
    int k = 0;
#pragma scop
    while (k < n && k < m) {
        a[k] += a[k] % 7;
        k++;
    }
#pragma endscop
    return k;
}

static int included(int n, int m, int *a)
{
    int k;
#pragma scop
    for (k = 0; k <= n && k < m; k++)
        a[k] += 9;
#pragma endscop
    return k;
}

struct limit { int most; };

/* Nobody looks at what is behind the pointer where there are no turns. */
static int behind(int n, const struct limit *l, int *a)
{
    int k;
#pragma scop
    for (k = 0; k < n && k < l->most; k++)
        a[k] += 11;
#pragma endscop
    return k;
}

int main(void)
{
    int *a = data_ints(64, 100);
    for (int n = -3; n < 50; n += 7)
        for (int m = 0; m < 60; m += 13) {
            struct limit l = {m};
            long r = up(n, m, a);
            r = r * 31 + turned(n, m, a);
            r = r * 31 + down(n, m, 5, a);
            r = r * 31 + going_on(3, n, m, a);
            r = r * 31 + turns(n, m, a);
            r = r * 31 + included(n, m, a);
            r = r * 31 + behind(n, n > 0 ? &l : 0, a);
            printf("%d %d %ld\n", n, m, r);
            for (int k = 0; k < 64; k++)
                a[k] &= 1023;
        }
    included(2147483647, 60, a);
    data_show("a", 64, a, 64 * sizeof *a);
    free(a);
    return 0;
}
