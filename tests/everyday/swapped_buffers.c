/* Buffers that change places over time steps, by one pointer for another, and what if they overlap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
float *heat(float *a, float *b, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a; a = b; b = tmp;
    }
#pragma endscop
    return a;
}
void heat2(double *restrict a, double *restrict b, int h, int w, int steps)
{
    double *tmp;
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++)
                b[y * w + x] = 0.25 * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
        tmp = a;
        a = b;
        b = tmp;
    }
#pragma endscop
    for (int i = 0; i < h * w; i++) b[i] = a[i];
}
float *wave(float *prev, float *cur, float *next, int n, int steps, float c2)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 2 * cur[i] - prev[i] + c2 * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
        if (n > 0) {
            next[0] = 0;
            next[n - 1] = 0;
        }
        float *old = prev;
        prev = cur;
        cur = next;
        next = old;
    }
#pragma endscop
    return cur;
}
#define SWAP(x, y)                                                                                 \
    do {                                                                                           \
        __typeof__(x) kept_ = x;                                                                   \
        x = y;                                                                                     \
        y = kept_;                                                                                 \
    } while (0)
float *by_macro(float *a, float *b, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        SWAP(a, b);
    }
#pragma endscop
    return a;
}
/* swap first, then compute; count down; source term */
void life(unsigned char *now, unsigned char *then, const unsigned char *add, int n, int rounds)
{
    unsigned char *s;
#pragma scop
    while (rounds-- > 0) {
        s = now; now = then; then = s;
        for (int i = 1; i < n - 1; i++)
            now[i] = (then[i - 1] + then[i] * 2 + then[i + 1] + add[i]) & 7;
        now[0] = then[n - 1]; now[n - 1] = then[0];
    }
    for (int i = 0; i < n; i++)
        then[i] = now[i];
#pragma endscop
}
/* only inside; a region body called in a loop */
int *inside(int *p, int *q, int n, int times)
{
    for (int k = 0; k < times; k++) {
#pragma scop
        for (int t = 0; t < 3; t++) {
            for (int i = 1; i < n; i++)
                q[i] = p[i] + p[i - 1];
            int *r = p; p = q; q = r;
        }
#pragma endscop
    }
    return q;
}
/* 2-d rows */
void plate(double **t, double **s, int h, int w, int steps)
{
#pragma scop
    for (int k = 0; k < steps; k++) {
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++)
                s[y][x] = 0.25 * (t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1]);
        double **u = t; t = s; s = u;
    }
#pragma endscop
}
/* arrays of the function */
void fixed(float grid[32][32], int steps)
{
    static float other[32][32];
    float (*in)[32] = grid, (*out)[32] = other;
    memcpy(other, grid, sizeof other);
#pragma scop
    for (int t = 1; t <= steps; t++) {
        for (int y = 1; y < 31; y++)
            for (int x = 1; x < 31; x++)
                out[y][x] = (in[y][x] + in[y - 1][x] + in[y][x + 1]) / 3;
        float (*swap)[32] = in;
        in = out;
        out = swap;
    }
#pragma endscop
    if (in != grid) memcpy(grid, in, sizeof other);
}
void partial(float *a, float *b, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = a[i] + t;
        if (t % 3 == 0) { float *x = a; a = b; b = x; }
    }
#pragma endscop
}
int main(void)
{
    int n = 500;
    float *a = malloc(n * 4), *b = malloc(n * 4), *c = malloc(n * 4);
    for (int steps = 0; steps < 12; steps += steps ? 5 : 1) {
        for (int i = 0; i < n; i++) a[i] = i % 13, b[i] = i % 7, c[i] = i % 5;
        float *e = heat(a, b, n, steps); double s = 0; for (int i = 0; i < n; i++) s += e[i] * (i % 17); printf("%d %g %d\n", steps, s, e == a);
        e = heat(a, a, n, steps); for (int i = 0; i < n; i++) s += e[i] * (i % 17); printf("%g\n", s);
        e = heat(a, a + 9, n - 9, steps); for (int i = 0; i < n; i++) s += a[i] * (i % 17); printf("%g\n", s);
        e = wave(a, b, c, n, steps, 0.1f); for (int i = 0; i < n; i++) s += e[i] * (i % 17); printf("%g %d\n", s, (e == a) + 2 * (e == b) + 3 * (e == c));
        e = wave(a, c, b, n, steps, 0.1f); for (int i = 0; i < n; i++) s += e[i] * (i % 17); printf("%g %d\n", s, (e == a) + 2 * (e == b) + 3 * (e == c));
        e = by_macro(c, a, n, steps); for (int i = 0; i < n; i++) s += e[i] * (i % 17); printf("%g %d\n", s, e == a);
        e = wave(a, b, c, 0, steps, 0.1f); printf("%d\n", (e == a) + 2 * (e == b) + 3 * (e == c));
        partial(a, b, n, steps); for (int i = 0; i < n; i++) s += b[i] * (i % 17) + a[i]; printf("%g\n", s);
        partial(a, b, n, -steps);
    }
    double *d = malloc(40 * 50 * 8), *f = malloc(40 * 50 * 8);
    for (int steps = 0; steps < 9; steps += 1 + steps) { for (int i = 0; i < 2000; i++) d[i] = i % 101, f[i] = -(i % 11); heat2(d, f, 40, 50, steps); double s = 0; for (int i = 0; i < 2000; i++) s += d[i] * (i % 17) + f[i]; printf("%.17g\n", s); }
    unsigned char u[300], v[300], w[300]; 
    for (int r = -1; r < 6; r++) { for (int i = 0; i < 300; i++) u[i] = i, v[i] = i * 3, w[i] = i / 7; life(u, v, w, 300, r); life(u, v, u + 5, 200, r); life(u, u, w, 290, r); unsigned h = 0; for (int i = 0; i < 300; i++) h = h * 31 + u[i] * 3 + v[i]; printf("%u\n", h); }
    int p[64], q[64]; for (int i = 0; i < 64; i++) p[i] = i, q[i] = 2 * i; int *r = inside(p, q, 64, 3); printf("%d %d\n", r == p, r[40]); r = inside(p, q, 64, 0); r = inside(p, q, 5, 4); printf("%d %d\n", r == p, r[4]);
    double *t1[40], *t2[40]; for (int i = 0; i < 40; i++) t1[i] = d + 50 * i, t2[i] = f + 50 * i; plate(t1, t2, 40, 50, 5); double s = 0; for (int i = 0; i < 2000; i++) s += d[i] * (i % 17) + f[i]; printf("%.17g\n", s);
    static float g[32][32]; for (int i = 0; i < 1024; i++) g[i / 32][i % 32] = i % 37; fixed(g, 5); fixed(g, 8); for (int i = 0; i < 1024; i++) s += g[i / 32][i % 32] * (i % 9); printf("%.17g\n", s);
    return 0;
}
