#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Integers that are the same in any order, also where a part of them leaves the range. */
static int balanced(int n, const int *restrict x)
{
    int s = 3;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i];
#pragma endscop
    return s;
}

static long product(int n, const short *restrict x, const int *restrict y, long start)
{
    long s = start;
#pragma scop
    for (int i = 0; i < n; i++)
        s -= (long)x[i] * y[i];
#pragma endscop
    return s;
}

static void flags(int n, int low, int high, const int *restrict x, int *restrict all, int *restrict any)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int inside = x[i] >= low && x[i] <= high;
        all[0] &= inside;
        any[0] |= inside;
    }
#pragma endscop
}

static unsigned char check(int h, int w, const unsigned char *restrict bytes, unsigned char start)
{
    unsigned char c = start;
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            c ^= bytes[i * w + j];
#pragma endscop
    return c;
}

/* Two counts, one of them under a condition, and what is not the same in any order. */
static double mixed(int n, const int *restrict x, unsigned short *restrict count, double *restrict sum)
{
    double s = 0;
    long odd = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > 0)
            count[1] += 1;
        odd += x[i] & 1;
        s += x[i] * 0.1;
    }
#pragma endscop
    sum[0] = s;
    return odd;
}

/* The count is read in the loop, so that its order matters. */
static int places(int n, const int *restrict x, int *restrict to)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        to[i] = k;
        if (x[i] < 0)
            k++;
    }
#pragma endscop
    return k;
}

int main(void)
{
    enum { N = 330000 };
    int *x = malloc(N * sizeof *x), *to = malloc(N * sizeof *to);
    short *y = malloc(N * sizeof *y);
    unsigned char *bytes = malloc(N);
    static const int sizes[] = {0, 1, 7, 4095, 4096, 4097, 100003, N};
    for (int i = 0; i < N; i++) {
        /* No sum of the first ones is out of range; every 64th block of 4096 together are. */
        x[i] = i / 4096 % 2 ? -(INT_MAX / 4096) + i % 3 : INT_MAX / 4096 - i % 5;
        y[i] = (short)(i * 31 % 65521 - 32760);
        bytes[i] = (unsigned char)(i * 37 % 253);
    }
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k], all = 7, any = 4;
        unsigned short count[2] = {5, 65530};
        double sum = 0;
        flags(n, -600000, 600000, x, &all, &any);
        double odd = mixed(n, x, count, &sum);
        printf("%d: %d %ld %d %d %d %.17g %.17g %d %d %d", n, balanced(n, x), product(n, y, x, 1L << 40), all, any,
               check(n / 100, 100, bytes, 9), odd, sum, count[0], count[1], places(n, x, to));
        printf(" %d\n", n ? to[n - 1] : -1);
    }
    free(bytes);
    free(y);
    free(to);
    free(x);
    return 0;
}
