/* Counters that inner loops step, read in the outer one: where a bound is negative, the inner loop has
   no iterations. */
#include <stdio.h>
#include <string.h>

static int width;

static void starts(int n, int *a)
{
    int p = 0;
#pragma scop
    for (int y = 0; y < n; y++) {
        a[y] = p;
        for (int x = 0; x < width; x++)
            p++;
    }
#pragma endscop
}

static int behind(int n, int m, int k, int *a)
{
    int p = 0, q = 1;
#pragma scop
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < m; x++) {
            a[p & 1023] += y;
            for (int z = 0; z < k; z++)
                p += 2;
            a[p & 1023] ^= x;
        }
        q = (q * 3 + p) & 65535;
        for (int x = 2; x < k; x++)
            p++;
        a[y & 1023] += p;
    }
#pragma endscop
    return p + q;
}

static void filled(int n, int m, int *a)
{
    int p = 0;
#pragma scop
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            a[p++] = x - y;
#pragma endscop
}

int main(void)
{
    static int a[200000];
    for (width = -5; width < 4; width += 2) {
        starts(1000, a);
        printf("%d %d %d\n", a[1], a[7], a[999]);
    }
    memset(a, 0, sizeof a);
    for (int m = -3; m < 4; m += 3)
        for (int k = -2; k < 5; k += 3) {
            int last = behind(23, m, k, a);
            unsigned hash = 1;
            for (int i = 0; i < 1024; i++)
                hash = hash * 31 + (unsigned)a[i];
            printf("%d %u\n", last, hash);
        }
    filled(300, 500, a);
    filled(40, -7, a);
    printf("%d %d\n", a[77777], a[149999]);
    return 0;
}
