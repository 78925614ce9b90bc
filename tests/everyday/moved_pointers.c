/* Pointers that a region moves, and that go on where it leaves them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static float *emit(float *out, const float *restrict in, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        *out++ = in[i] * 2;
        *out++ = in[i] + 1;
    }
#pragma endscop
    return out;
}
int total(const unsigned char *p, int n, int m)
{
    int sum = 0, more = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += *p++;
#pragma endscop
    for (int i = 0; i < m; i++)
        more = more * 3 + *p++;
    return sum * 1000 + more;
}
void rows(const unsigned char *src, unsigned char *restrict dst, int h, int w, int skip)
{
    for (int y = 0; y < h; y++) {
#pragma scop
        for (int x = 0; x < w; x++) {
            dst[0] = 255 - src[0];
            dst[1] = src[1] / 2;
            src += 2;
            dst += 2;
        }
#pragma endscop
        src += skip;
        dst += 1;
    }
}
void down(double *p, int n)
{
    double *end = p;
#pragma scop
    for (int i = 0; i < n; i++) {
        p -= 3;
        p[1] = i;
    }
#pragma endscop
    printf("%ld\n", (long)(end - p));
    p[0] = 7;
}
long filter(const int *in, int *out, int n)
{
    int *first = out;
#pragma scop
    for (int i = 0; i < n; i++)
        if (in[i] > 10)
            *out++ = in[i];
#pragma endscop
    return out - first;
}
void two(int *p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *p++ = i;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        *p++ = i * i;
#pragma endscop
    *p = -1;
}
void local(int n)
{
    int *p = malloc(sizeof(int) * (3 * n + 1)), *keep = p;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            *p++ = i + j;
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = i * i;
#pragma endscop
    unsigned h = 0;
    for (int i = 0; i < 3 * n; i++) h = h * 31 + keep[i];
    printf("%u %ld\n", h, (long)(p - keep));
    free(keep);
}
void count(int *p, int n)
{
    int *q = p;
#pragma scop
    while (n-- > 0)
        *p++ = 5;
#pragma endscop
    printf("%ld %d\n", (long)(p - q), n);
}
void branch(float *p, int n, int odd)
{
#pragma scop
    if (odd) {
        for (int i = 0; i < n; i++)
            *p++ = i;
    }
#pragma endscop
    *p = 99;
}
void idct(int *d, int *restrict val, int *restrict o)
{
    int *v = val, i;
#pragma scop
    for (i = 0; i < 8; ++i, ++d, ++v) {
        v[0] = d[0] + d[8];
        v[8] = d[0] - d[8];
    }
#pragma endscop
#pragma scop
    for (i = 0, v = val; i < 8; ++i, v += 2, o += 3) {
        o[0] = v[0] + v[1];
        o[1] = v[0] - v[1];
    }
#pragma endscop
    o[0] = d[0] + v[0];
}
int main(void)
{
    float in[50], out[101]; for (int i = 0; i < 50; i++) in[i] = i * 0.5f;
    for (int n = 0; n <= 50; n += 25) { float *e = emit(out, in, n); *e = -1; float s = 0; for (int i = 0; i <= 2 * n; i++) s += out[i] * i; printf("%g %ld\n", s, (long)(e - out)); }
    unsigned char b[400], c[400]; for (int i = 0; i < 400; i++) b[i] = i * 7, c[i] = 0;
    printf("%d %d %d\n", total(b, 100, 7), total(b, 0, 5), total(b, -4, 5));
    rows(b, c, 5, 10, 3); unsigned h = 0; for (int i = 0; i < 400; i++) h = h * 31 + c[i]; printf("%u\n", h);
    double d[91]; memset(d, 0, sizeof d); down(d + 90, 30); down(d + 90, 0); double s = 0; for (int i = 0; i < 91; i++) s += d[i] * i; printf("%g\n", s);
    int k[64], l[200]; for (int i = 0; i < 64; i++) k[i] = i * 5 % 23; printf("%ld\n", filter(k, l, 64));
    two(l, 90); h = 0; for (int i = 0; i < 181; i++) h = h * 31 + l[i]; printf("%u\n", h);
    local(20); local(0); count(l, 20); count(l, 0); count(l, -3);
    float f[60] = {0}; branch(f, 50, 1); branch(f, 50, 0); branch(f, -1, 1); s = 0; for (int i = 0; i < 60; i++) s += f[i] * i; printf("%g\n", s);
    int o[30] = {0}; int v[24] = {0}; idct(k, v, o); h = 0; for (int i = 0; i < 25; i++) h = h * 31 + o[i]; for (int i = 0; i < 16; i++) h = h * 31 + v[i]; for (int i = 0; i < 181; i++) h = h * 31 + l[i]; printf("%u\n", h);
    return 0;
}
