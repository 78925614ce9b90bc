/* Subscripts that are data and lie in front of what they seem to, in memory that is written. */
#include <stdio.h>

static int pack(int n, int reset, const int *a, int *o, int *q, int k)
{
#pragma scop
    if (reset > 5)
        k = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            o[k++] = i;
    for (int i = 0; i < n; i++)
        q[i] = q[i] * 2 + i;
#pragma endscop
    return k;
}

/* What is unsigned may be negative as an `int`, and so is its remainder. */
static void remainders(int n, int w, int *o, const int *t, const unsigned char *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++)
            o[i * w + j] = t[((int)(b[i] - 300u) % 128 + i) * w + j] + 1;
#pragma endscop
}

static void narrow(int n, int w, int *o, const int *t, const unsigned char *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++)
            o[i * w + j] = t[((short)(b[i] - 300u) + i) * w + j] + 1;
#pragma endscop
}

/* Not what its name says. */
static int max(int a, int b) { return a * a > b * b ? a : b; }
static void greater(int n, int w, int *o, const int *t, const short *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++)
            o[i * w + j] = t[(max(a[i], 1) + i) * w + j] + 1;
#pragma endscop
}

/* Sums of products that are far away each. */
static void far_away(int n, long d, double *o, const double *t, const long *a, const long *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        o[i] = t[a[i] * d + b[i] * d + i] + 1;
#pragma endscop
}

enum { W = 40, N = 400 };
static int m[300 * W];
static double r[2 * N];
static long a[N], b[N];

static void show(const char *what)
{
    unsigned long hash = 7;
    for (int i = 0; i < 300 * W; i++)
        hash = hash * 31 + (unsigned)m[i];
    for (int i = 0; i < 2 * N; i++)
        hash = hash * 31 + (unsigned long)r[i];
    printf("%s %lu\n", what, hash);
}

int main(void)
{
    static int nine[50];
    static unsigned char bytes[100];
    static short below[100];
    for (int i = 0; i < 50; i++)
        nine[i] = 9;
    for (int i = 0; i < 300 * W; i++)
        m[i] = i % 97;
    for (int i = 0; i < 2 * N; i++)
        r[i] = i % 97;
    for (int i = 0; i < 100; i++) {
        bytes[i] = 300 - 101;
        below[i] = -101;
    }
    for (int i = 0; i < N; i++) {
        a[i] = i & 1 ? -(1L << 44) + (1L << 14) : (1L << 44) - (1L << 14);
        b[i] = -a[i];
    }
    for (int reset = 0; reset < 9; reset += 4) {
        pack(40, reset, nine, m, m + 80, 80);
        show("pack");
    }
    remainders(100, W, m + W, m + 101 * W, bytes);
    show("remainders");
    narrow(100, W, m + W, m + 101 * W, bytes);
    show("narrow");
    greater(100, W, m + W, m + 101 * W, below);
    show("greater");
    far_away(N, 65536, r + 200, r + 199, a, b);
    show("far away");
    return 0;
}
