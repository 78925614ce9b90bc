/* Loops that look for something, and return it, or that something is wrong. */
#include <stdio.h>
#include <stdlib.h>
float rate(int n, const int *steps, const float *scales, int batch, float r)
{
    int i;
#pragma scop
    for (i = 0; i < n; ++i) {
        if (steps[i] > batch) return r;
        r *= scales[i];
    }
#pragma endscop
    return -r;
}
int find(int val, const int *a, int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; ++i) {
        if (a[i] == val) return i;
    }
#pragma endscop
    return -1;
}
static int why;
static int fail(int code) { why = code; return -code; }
int sample(const float *p, int n, float coin)
{
    float cdf = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++) {
        cdf += p[i];
        if (coin < cdf) return i;
        if (p[i] < 0) return fail(7);
    }
#pragma endscop
    return n - 1;
}
const char *name(int n, unsigned *check, const int *dims)
{
    int k;
#pragma scop
    for (k = 0; k < n; ++k) {
        *check /= dims[k];
        if (*check <= 4) return NULL;
    }
#pragma endscop
    return "fits";
}
void until(int n, int *a, int *count)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] ^= 5;
        if (a[i] == 4) return;
        *count += 1;
    }
#pragma endscop
    *count = -*count;
}
/* twice in a loop */
int rows(int h, int w, int m[h][w])
{
    for (int y = 0; y < h; y++) {
#pragma scop
        for (int x = 0; x < w; x++) {
            m[y][x] += 1;
            if (m[y][x] > 40) return y * 100 + x;
        }
#pragma endscop
    }
    return 0;
}
long digits(long n, char *out)
{
    long k = 0;
#pragma scop
    do {
        if (k > 3) return k;
        out[k++] = '0' + n % 10;
        n /= 10;
    } while (n > 0);
#pragma endscop
    return -k;
}
int both(int n, double *out, const float *in, double most)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[i] * 2;
    for (int i = 0; i < n; i++) {
        sum += out[i];
        if (sum > most) return (int)(100 * sum) + i;
        if (out[i] < 0) return fail(3);
    }
#pragma endscop
    return (int)sum;
}
int steps(int n, int *a, const int *b)
{
    int i, k = 0;
#pragma scop
    for (i = 0; i < n; i++) {
        a[i] = 3 * b[n - 1 - i];
    }
    while (k < n) {
        if (a[k] > 30) {
            a[0] = k;
            return k;
        }
        k += 2;
    }
#pragma endscop
    return -k - i;
}
int main(void)
{
    int s[8] = {1, 5, 9, 12, 20, 4, 4, 1}; float f[8] = {.5f, .25f, 2, 1, .5f, -1, 3, 2};
    for (int n = 0; n <= 8; n++) {
        printf("%g\n", rate(n, s, f, n * 2, 3));
        printf("%d\n", find(n, s, n));
        int q = sample(f, n, n * .9f); printf("%d %d\n", q, why);
        unsigned c = 5000; const char *p = name(n, &c, s); printf("%s %u\n", p ? p : "-", c);
        int a[8], k = 0; for (int i = 0; i < 8; i++) a[i] = s[i];
        until(n, a, &k); printf("%d %d %d\n", a[0], a[5], k);
        int m[3][4]; for (int i = 0; i < 12; i++) m[i / 4][i % 4] = i * n;
        q = rows(3, 4, m); printf("%d %d\n", q, m[2][3]);
        char t[8] = ""; long d = digits(1l << (n * 2), t); printf("%ld %s\n", d, t); double w[8]; q = both(n, w, f, n * .5); printf("%d %g\n", q, n ? w[n - 1] : 0); q = steps(n, a, s); printf("%d %d %d\n", q, a[0], a[6]);
    }
}
