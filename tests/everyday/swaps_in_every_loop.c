/* Time loops of every form, in which buffers change places: whether the test stands in front or behind,
   and however steps are counted. */
#include <stdio.h>
#include <stdlib.h>
float *down(float *a, float *b, int n, int steps)
{
#pragma scop
    while (steps--) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a; a = b; b = tmp;
    }
#pragma endscop
    return a;
}
float *above(float *a, float *b, int n, int steps)
{
    float *tmp;
#pragma scop
    while (steps-- > 0) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        tmp = a; a = b; b = tmp;
    }
#pragma endscop
    return a;
}
float *behind(float *a, float *b, int n, int steps)
{
    int t = 0;
#pragma scop
    while (t < steps) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]) + t;
        float *tmp = a;
        a = b;
        b = tmp;
        t++;
    }
#pragma endscop
    return a;
}
float *in_front(float *a, float *b, int n, int steps)
{
#pragma scop
    int t = 0;
    while (t < steps) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]) + t;
        t++;
        float *tmp = a;
        a = b;
        b = tmp;
    }
#pragma endscop
    return a;
}
float *to_zero(float *a, float *b, int n, int steps)
{
    int t;
#pragma scop
    for (t = steps; t > 0; t--) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a;
        a = b;
        b = tmp;
    }
#pragma endscop
    return a;
}
float *until_zero(float *a, float *b, int n, int steps)
{
    int t;
#pragma scop
    for (t = steps; t--;) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]) - t;
        float *tmp = a;
        a = b;
        b = tmp;
    }
#pragma endscop
    return a;
}
float *once(float *a, float *b, int n, int steps)
{
    int t = 0;
#pragma scop
    do {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a;
        a = b;
        b = tmp;
    } while (++t < steps);
#pragma endscop
    return a;
}
float *once_down(float *a, float *b, int n, int steps)
{
    float *tmp;
#pragma scop
    do {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        tmp = a;
        a = b;
        b = tmp;
    } while (--steps > 0);
#pragma endscop
    return a;
}
/* the test inside, the last one told */
int tested(float *a, float *b, int n, int steps)
{
    int t = 0;
#pragma scop
    for (;;) {
        if (t >= steps)
            break;
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a;
        a = b;
        b = tmp;
        t += 1;
    }
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma endscop
    return t;
}
float *size(float *a, float *b, unsigned long n, unsigned long steps)
{
#pragma scop
    for (unsigned long t = 0; t != steps; ++t) {
        for (unsigned long i = 1; i + 1 < n; i++)
            b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        float *tmp = a;
        a = b;
        b = tmp;
    }
#pragma endscop
    return a;
}
static void fill(float *a, float *b, int n) { for (int i = 0; i < n; i++) a[i] = i % 13, b[i] = i % 7; }
static void show(const char *what, int steps, float *e, float *a, float *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += e[i] * (i % 17) + a[i] * (i % 5) + b[i];
    printf("%s %d %.9g %d\n", what, steps, s, e == a);
}
int main(void)
{
    enum { N = 500 };
    static float a[N], b[N];
    for (int k = 0; k < 6; k++) {
        int steps = (int[]){0, 1, 2, 7, 8, -3}[k];
        if (steps >= 0) {
            fill(a, b, N); show("down", steps, down(a, b, N, steps), a, b, N);
            fill(a, b, N); show("until_zero", steps, until_zero(a, b, N, steps), a, b, N);
            fill(a, b, N); show("size", steps, size(a, b, N, steps), a, b, N);
        }
        fill(a, b, N); show("above", steps, above(a, b, N, steps), a, b, N);
        fill(a, b, N); show("behind", steps, behind(a, b, N, steps), a, b, N);
        fill(a, b, N); show("in_front", steps, in_front(a, b, N, steps), a, b, N);
        fill(a, b, N); show("to_zero", steps, to_zero(a, b, N, steps), a, b, N);
        fill(a, b, N); show("once", steps, once(a, b, N, steps), a, b, N);
        fill(a, b, N); show("once_down", steps, once_down(a, b, N, steps), a, b, N);
        fill(a, b, N); printf("%d ", tested(a, b, N, steps)); show("twice", steps, a, a, b, N);
        fill(a, b, N); show("again", steps, above(above(a, b, N, steps), a, 9, 3), a, b, N);
    }
    return 0;
}
