/* Loops that go on until nothing changes much, in which buffers change places: what is in them has models,
   and the loops stay. */
#include <stdio.h>
#include <math.h>
int converge(float *a, float *b, int n, float eps, int max)
{
    int it = 0;
    float err;
#pragma scop
    do {
        err = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            err = fmaxf(err, fabsf(b[i] - a[i]));
        float *tmp = a; a = b; b = tmp;
    } while (err > eps && ++it < max);
#pragma endscop
    return it;
}
float *leave(float *a, float *b, int n, float eps, int max)
{
#pragma scop
    for (int it = 0; it < max; it++) {
        float err = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            err = fmaxf(err, fabsf(b[i] - a[i]));
        float *tmp = a; a = b; b = tmp;
        if (err < eps) break;
    }
#pragma endscop
    return a;
}
void leave_then(float *a, float *b, float *c, int n, float eps, int max)
{
#pragma scop
    for (int it = 0; it < max; it++) {
        float err = 0;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++)
            err = fmaxf(err, fabsf(b[i] - a[i]));
        float *tmp = a; a = b; b = tmp;
        if (err < eps) break;
    }
    for (int i = 0; i < n; i++) c[i] = a[i];
#pragma endscop
}
int until(float *a, float *b, int n, float eps)
{
    float err = 1e30f;
    int it = 0;
#pragma scop
    while (err > eps) {
        err = 0;
        for (int i = 1; i < n - 1; i++) {
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
            err += (b[i] - a[i]) * (b[i] - a[i]);
        }
        float *tmp = a; a = b; b = tmp;
        it++;
    }
#pragma endscop
    return it;
}
struct plate { int h, w; float *cur, *next; };
static void swap_ptr(float **x, float **y) { float *t = *x; *x = *y; *y = t; }
int settle(struct plate *p, float eps, int max)
{
    int it;
#pragma scop
    for (it = 0; it < max; it++) {
        float most = 0;
        for (int y = 1; y < p->h - 1; y++)
            for (int x = 1; x < p->w - 1; x++)
                p->next[y * p->w + x] = 0.25f * (p->cur[y * p->w + x - 1] + p->cur[y * p->w + x + 1] + p->cur[(y - 1) * p->w + x] + p->cur[(y + 1) * p->w + x]);
        for (int i = 0; i < p->h * p->w; i++) {
            float d = p->next[i] - p->cur[i];
            if (d < 0)
                d = -d;
            if (d > most)
                most = d;
        }
        swap_ptr(&p->cur, &p->next);
        if (most <= eps)
            break;
    }
#pragma endscop
    return it;
}
int main(void)
{
    enum { N = 50 };
    static float a[N], b[N], c[N];
    for (int k = 0; k < 4; k++) {
        int steps = (int[]){0, 1, 2, 700}[k];
        for (int i = 0; i < N; i++) a[i] = i % 13, b[i] = i % 7;
        a[0] = b[0]; a[N - 1] = b[N - 1];
        int r = converge(a, b, N, 0.01f, steps); printf("%d %g %g\n", r, a[7], b[7]);
        for (int i = 0; i < N; i++) a[i] = i % 13, b[i] = i % 7;
        a[0] = b[0]; a[N - 1] = b[N - 1];
        float *p = leave(a, b, N, 0.01f, steps); printf("%d %g %g\n", p == a, a[7], b[7]);
        leave_then(a, b, c, N, 0.5f, steps); printf("%d %g %g\n", p == a, a[7], c[7]);
        r = until(a, b, N, 0.001f); printf("%d %g %g\n", r, a[7], b[7]);
        static float d[20 * 30], e[20 * 30];
        for (int i = 0; i < 600; i++) d[i] = e[i] = i % 31;
        struct plate q = { 20, 30, d, e };
        r = settle(&q, 0.25f, steps); printf("%d %d %g %g\n", r, q.cur == d, d[333], e[334]);
    }
    return 0;
}
