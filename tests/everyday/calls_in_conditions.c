/* Calls in conditions, with what is behind them evaluated only if they say so, and structures by value,
   also as arguments that are calls. */
#include <stdio.h>
struct box { float lo, hi; };
typedef struct { float x, y; } v2;
static int hit(const struct box *b, float x, float *t) { *t = x - b->lo; return x > b->lo && x < b->hi; }
static v2 add(v2 a, v2 b) { v2 r = {a.x + b.x, a.y + b.y}; return r; }
static v2 scale(v2 a, float s) { a.x *= s; a.y *= s; return a; }
static v2 turned(v2 a) { float t = a.x; a.x = -a.y; a.y = t; return a; }
static float dot(v2 a, v2 b) { return a.x * b.x + a.y * b.y; }
static int next(int *seed) { *seed = *seed * 1103515245u + 12345; return (*seed >> 16) & 1; }
void first(const struct box *b, int n, const float *x, int m, float *restrict out)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        out[i] = 1e30f;
        for (int j = 0; j < n; j++) {
            float t;
            if (hit(&b[j], x[i], &t) && t < out[i])
                out[i] = t;
        }
    }
#pragma endscop
}
void second(const struct box *b, int n, const float *x, int m, float *restrict out, const int *on)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        out[i] = 1e30f;
        for (int j = 0; j < n; j++) {
            float t = 3;
            if (on[j] && hit(&b[j], x[i], &t) && t < out[i])
                out[i] = t;
            out[i] += t * 0.001f;
        }
    }
#pragma endscop
}
void other(const struct box *b, int n, const float *x, int m, float *restrict out, const int *on)
{
#pragma scop
    for (int i = 0; i < m; i++) {
        out[i] = 0;
        for (int j = 0; j < n; j++) {
            float t = 5;
            if (on[j] || hit(&b[j], x[i], &t) || t < 0.5f)
                out[i] += t;
            else
                out[i] -= 1;
            if (!hit(&b[j], x[i], &t) && t > 0.2f) out[i] += 0.25f; else out[i] -= 0.5f * t;
            if (on[j] && hit(&b[j], x[i] + 0.1f, &t) && t > 0.2f) out[i] += 0.25f; else out[i] -= 0.5f * t;
        }
    }
#pragma endscop
}
int seeds(int n, int *restrict a, int seed)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] > 3 && next(&seed) && seed > 0) a[i] = 0;
        else a[i]++;
        if (next(&seed) && next(&seed)) a[i] += 100;
        if (a[i] > 50 || (next(&seed) && a[i] > 2)) a[i] -= 1;
    }
#pragma endscop
    return seed;
}
void step(v2 *p, const v2 *v, int n, float dt)
{
#pragma scop
    for (int i = 0; i < n; i++)
        p[i] = add(p[i], scale(v[i], dt));
#pragma endscop
}
void step2(v2 *restrict p, const v2 *restrict v, int n, float dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        v2 t = scale(v[i], dt);
        p[i] = add(p[i], t);
    }
#pragma endscop
}
void step3(v2 *restrict p, v2 *restrict v, int n, float dt)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        v2 t = add(scale(turned(v[i]), dt), turned(add(v[i - 1], p[i])));
        p[i] = add(turned(p[i]), scale(t, 0.5f));
        v[i].x += dot(scale(t, 2), turned(t));
        v[i] = scale(v[i], 0.75f);
        p[i - 1].y = scale(v[i], 2).y + add(v[i], t).x;
    }
#pragma endscop
}
static float xs[500], out[500]; static struct box bs[40]; static int on[40], is[300];
static v2 p[300], v[300];
static void show(const char *w)
{
    double s = 0;
    for (int i = 0; i < 500; i++) s = s * 0.99 + out[i];
    for (int i = 0; i < 300; i++) s = s * 0.98 + p[i].x - p[i].y + v[i].x * 2 - v[i].y + is[i];
    printf("%s %.10g\n", w, s);
}
int main(void)
{
    for (int i = 0; i < 500; i++) xs[i] = (i * 37 % 101) * 0.03f;
    for (int i = 0; i < 40; i++) bs[i].lo = (i * 13 % 31) * 0.1f, bs[i].hi = bs[i].lo + (i % 5) * 0.3f, on[i] = i * 7 % 3 != 0;
    for (int i = 0; i < 300; i++) p[i].x = i % 7, p[i].y = i % 11, v[i].x = i % 5, v[i].y = i % 3, is[i] = i % 9;
    first(bs, 40, xs, 500, out); show("first");
    second(bs, 40, xs, 500, out, on); show("second");
    other(bs, 40, xs, 500, out, on); show("other");
    printf("%d\n", seeds(300, is, 7)); show("seeds");
    step(p, v, 300, 0.1f); show("step"); step(p, p, 300, 0.1f); show("step same"); step(p + 1, p, 299, 0.01f); show("step near");
    step2(p, v, 300, 0.1f); show("step2");
    step3(p, v, 300, 0.1f); show("step3");
    return 0;
}
