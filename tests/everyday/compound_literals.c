#include <stdio.h>
#include <math.h>
typedef struct { float x, y, z; } vec3;
typedef struct { vec3 pos, vel; float mass; int kind; } body;
typedef struct { unsigned char r, g, b, a; } rgba;
typedef struct { double re, im; } cplx;
static inline vec3 add(vec3 a, vec3 b) { return (vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec3 scale(vec3 a, float s) { return (vec3){.x = a.x * s, .z = a.z * s, .y = a.y * s}; }
static inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec3 clampv(vec3 a) { if (a.x > 10) return (vec3){10, a.y, a.z}; if (a.y < 0) return (vec3){.z = a.z}; return a; }
static cplx cmul(cplx a, cplx b) { return (cplx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

void step(body *b, int n, float dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        vec3 acc = (vec3){0, -9.81f, 0};
        b[i].vel = add(b[i].vel, scale(acc, dt));
        b[i].pos = add(b[i].pos, scale(b[i].vel, dt));
        b[i].pos = clampv(b[i].pos);
        if (b[i].kind == 2)
            b[i].vel = (vec3){-b[i].vel.y, b[i].vel.x, b[i].vel.z};
    }
#pragma endscop
}
void swapxy(vec3 *v, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        v[i] = (vec3){v[i].y, v[i].x};
#pragma endscop
}
void blend(rgba *out, const rgba *a, const rgba *b, int n, int t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = (rgba){(a[i].r * t + b[i].r * (256 - t)) >> 8, (a[i].g * t + b[i].g * (256 - t)) >> 8, .a = 255 + t, .b = 300};
#pragma endscop
}
void spectrum(cplx *x, const cplx *w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        cplx t = cmul(x[i], w[i]);
        cplx u = {.im = 1};
        x[i] = cmul(t, (cplx){1, 0.5});
        x[i].re += cmul(u, x[i]).im;
    }
#pragma endscop
}
float energy(const body *b, int n)
{
    float e = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        e += b[i].mass * dot(b[i].vel, (vec3){b[i].vel.x, b[i].vel.y, i > 0 ? b[i - 1].vel.z : 0});
#pragma endscop
    return e;
}
void tables(int *o, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int w[6] = {[2] = 5, 6, [0] = i};
        struct { int k; int m[3]; struct { short q, r; } s; } t = {.m = {1, [2] = i}, .s.r = 3, .k = 9};
        for (int j = 0; j < 6; j++)
            o[i] += w[j] * (j + 1);
        o[i] += t.k + t.m[0] * t.m[1] + t.m[2] + t.s.q + t.s.r;
    }
#pragma endscop
}
void walk(vec3 *v, int n)
{
    vec3 last = {0, 0, 0};
#pragma scop
    for (int i = 0; i < n; i++) {
        vec3 d = {v[i].x - last.x, v[i].y - last.y, v[i].z - last.z};
        last = (vec3){d.y, d.z, last.x};
        v[i] = i % 2 ? (vec3){d.x, 1, 2} : last;
    }
#pragma endscop
    v[0].x += last.z;
}
void conv(vec3 *v, const int *k, int n)
{
    int calls = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        v[i] = (vec3){k[i] / 2, (unsigned char)(k[i] * 77), k[i] ? 1.0 / k[i] : 0};
        if (k[i] > 3 && dot((vec3){k[i], 1, 1}, v[i]) > 20) v[i].x = 7;
    }
#pragma endscop
    v[0].z += calls;
}
#define N 37
int main(void)
{
    static body b[N]; static vec3 v[N]; static rgba p[N], q[N], o[N]; static cplx x[N], w[N]; static int t[N], k[N];
    for (int i = 0; i < N; i++) {
        b[i] = (body){{i % 13, i % 5 - 2, i}, {i % 3, 1, i % 7}, 1 + i % 4, i % 3};
        v[i] = (vec3){i * 3 % 7, i * 5 % 11, i}; p[i] = (rgba){i, i * 7, i * 3, 1}; q[i] = (rgba){i * 5, i, 9, 2};
        x[i] = (cplx){i % 5, i % 7}; w[i] = (cplx){1, i % 3}; k[i] = i * 7 % 19;
    }
    for (int s = 0; s < 3; s++) step(b, N, 0.5f);
    printf("%g\n", energy(b, N));
    swapxy(v, N); blend(o, p, q, N, 100); blend(p, p, q, N, 30); blend(p + 1, p, q, N - 1, 30); spectrum(x, w, N); tables(t, N); walk(v, N);
    for (int i = 0; i < N; i++) printf("%g %g %g %d %d %d %d %d %g %g %d %g\n", b[i].pos.x, b[i].pos.y, v[i].x + v[i].y * 3 + v[i].z * 7, o[i].r, o[i].g, o[i].b, o[i].a, p[i].r, x[i].re, x[i].im, t[i], b[i].vel.x);
    conv(v, k, N); for (int i = 0; i < N; i++) printf("%g ", v[i].x + v[i].y * 3 + v[i].z * 7);
    puts("");
    return 0;
}
