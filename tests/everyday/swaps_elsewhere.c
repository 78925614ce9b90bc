/* Buffers that change places where structures, the file, or a caller's pointers have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct grid { int w, h; float *cur, *next; int steps; };
static void swap_ptr(float **x, float **y) { float *t = *x; *x = *y; *y = t; }
static void swap_cells(unsigned char **a, unsigned char **b)
{
    unsigned char *keep;
    keep = *a;
    *a = *b;
    *b = keep;
}
void diffuse(struct grid *g, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int y = 1; y < g->h - 1; y++)
            for (int x = 1; x < g->w - 1; x++)
                g->next[y * g->w + x] = 0.25f * (g->cur[y * g->w + x - 1] + g->cur[y * g->w + x + 1] + g->cur[(y - 1) * g->w + x] + g->cur[(y + 1) * g->w + x]);
        float *tmp = g->cur;
        g->cur = g->next;
        g->next = tmp;
    }
#pragma endscop
}
/* as many steps as the structure says */
void diffuse_all(struct grid *g)
{
#pragma scop
    for (int t = 0; t < g->steps; t++) {
        for (int i = 1; i < g->w - 1; i++)
            g->next[i] = 0.5f * (g->cur[i - 1] + g->cur[i + 1]);
        swap_ptr(&g->cur, &g->next);
    }
#pragma endscop
}
static void sweep(struct grid *g)
{
    for (int i = 1; i < g->w - 1; i++)
        g->next[i] = 0.5f * (g->cur[i - 1] + g->cur[i + 1]);
}
static void flip(struct grid *g) { float *t = g->cur; g->cur = g->next; g->next = t; }
static void advance(struct grid *g)
{
    float *out = g->next;
    const float *in = g->cur;
    for (int i = 1; i < g->w - 1; i++)
        out[i] = in[i - 1] - in[i + 1];
    flip(g);
}
void run(struct grid *g, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        sweep(g);
        flip(g);
    }
#pragma endscop
}
void run_whole(struct grid *g, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        advance(g);
#pragma endscop
}
static double *past, *now, *future;
static int size;
void wave(int steps, double c)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < size - 1; i++)
            future[i] = 2 * now[i] - past[i] + c * (now[i - 1] - 2 * now[i] + now[i + 1]);
        double *old = past;
        past = now;
        now = future;
        future = old;
    }
#pragma endscop
}
void behind(float **a, float **b, int n, int steps)
{
#pragma scop
    while (steps-- > 0) {
        for (int i = 1; i < n - 1; i++)
            (*b)[i] = 0.5f * ((*a)[i - 1] + (*a)[i + 1]);
        float *tmp = *a;
        *a = *b;
        *b = tmp;
    }
#pragma endscop
}
void pair(float *buf[2], int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            buf[1][i] = 0.5f * (buf[0][i - 1] + buf[0][i + 1]);
        float *tmp = buf[0];
        buf[0] = buf[1];
        buf[1] = tmp;
    }
#pragma endscop
}
static void relax(const float *in, float *out, int n)
{
    for (int i = 1; i < n - 1; i++)
        out[i] = 0.5f * (in[i - 1] + in[i + 1]);
}
float *called(float *a, float *b, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        relax(a, b, n);
        swap_ptr(&a, &b);
    }
#pragma endscop
    return a;
}
/* bytes: may be stored to anything, the structure too */
struct life { unsigned char *cells, *other; int n; };
void rule(struct life *l, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < l->n - 1; i++)
            l->other[i] = l->cells[i - 1] ^ (l->cells[i] | l->cells[i + 1]);
        swap_cells(&l->cells, &l->other);
    }
#pragma endscop
}
float local(float *a, float *b, int n, int steps)
{
    struct grid g = { n, 1, a, b, steps };
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            g.next[i] = 0.5f * (g.cur[i - 1] + g.cur[i + 1]);
        float *tmp = g.cur;
        g.cur = g.next;
        g.next = tmp;
    }
    for (int i = 0; i < n; i++)
        g.next[i] = g.cur[i];
#pragma endscop
    return g.cur[5] + (g.cur == a);
}
/* what is not: a list that is walked, one pointer under two names */
struct node { struct node *next; float *data, *spare; };
void list(struct node *p, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            p->data[i] += p->spare[i];
        float *tmp = p->data;
        p->data = p->spare;
        p->spare = tmp;
        p = p->next;
    }
#pragma endscop
}
void twice(struct node *p, struct node *q, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            p->data[i] += q->data[i] * 0.5f;
        float *tmp = p->data;
        p->data = p->spare;
        p->spare = tmp;
    }
#pragma endscop
}
void three(float **a, float **b, float **c, int n, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            (*a)[i] = (*b)[i] + (*c)[i];
        float *tmp = *a;
        *a = *b;
        *b = *c;
        *c = tmp;
    }
#pragma endscop
}
enum { N = 240 };
static float a[N], b[N], c[N];
static void fill(void) { for (int i = 0; i < N; i++) a[i] = i % 13, b[i] = i % 7, c[i] = i % 5; }
static double sum(void) { double s = 0; for (int i = 0; i < N; i++) s += a[i] * (i % 17) + b[i] * (i % 5) + c[i]; return s; }
int main(void)
{
    diffuse(NULL, 0);
    run(NULL, -1);
    behind(NULL, NULL, 5, 0);
    for (int k = 0; k < 6; k++) {
        int steps = (int[]){0, 1, 2, 7, 8, -3}[k];
        struct grid g = { 20, 12, a, b, steps };
        fill(); diffuse(&g, steps); printf("%d %.9g\n", g.cur == a, sum());
        g.w = N; diffuse_all(&g); printf("%d %.9g\n", g.cur == a, sum());
        run(&g, steps); printf("%d %.9g\n", g.cur == a, sum());
        run_whole(&g, steps > 3 ? 3 : steps); printf("%d %.9g\n", g.cur == a, sum());
        g.next = g.cur; run(&g, steps); printf("%d %.9g\n", g.cur == g.next, sum());
        fill(); float *p = a, *q = b;
        behind(&p, &q, N, steps); printf("%d %.9g\n", p == a, sum());
        behind(&p, &p, N, steps); printf("%d %.9g\n", p == a, sum());
        float *buf[2] = {a, b}; pair(buf, N, steps); printf("%d %.9g\n", buf[0] == a, sum());
        p = called(a, b, N, steps); p = called(p, c, N, 3); printf("%d %.9g\n", p == c, sum());
        printf("%g %.9g\n", local(a, b, N, steps), sum());
        fill(); p = a, q = b; float *r = c;
        three(&p, &q, &r, N, steps < 0 ? 0 : steps); printf("%d%d%d %.9g\n", p == a, q == a, r == a, sum());
        three(&p, &p, &r, 0, steps); printf("%d%d%d %.9g\n", p == a, q == a, r == a, sum());
        fill(); struct node m = { 0, b, c }, n = { &m, a, b }; m.next = &n;
        list(&n, N, steps); printf("%d%d %.9g\n", n.data == a, m.data == b, sum());
        twice(&n, &m, N, steps); printf("%d%d %.9g\n", n.data == a, m.data == b, sum());
        twice(&n, &n, N, steps); printf("%d%d %.9g\n", n.data == a, n.data == b, sum());
        static double d[3][N]; for (int i = 0; i < N; i++) d[0][i] = i % 11, d[1][i] = i % 3, d[2][i] = 1;
        past = d[0]; now = d[1]; future = d[2]; size = N; wave(steps, 0.2); double s = 0;
        for (int i = 0; i < N; i++) s += past[i] + 3 * now[i] + 5 * future[i];
        printf("%d%d%d %.17g\n", past == d[0], now == d[0], future == d[0], s);
        struct { unsigned char room[64]; struct life l; unsigned char more[64]; } w;
        static unsigned char cells[300], other[300];
        memset(w.room, 3, 64); memset(w.more, 5, 64);
        for (int i = 0; i < 300; i++) cells[i] = i * 37, other[i] = i;
        w.l.cells = cells; w.l.other = other; w.l.n = 300; rule(&w.l, steps);
        unsigned h = w.l.cells == cells; for (int i = 0; i < 300; i++) h = h * 31 + cells[i] + 7 * other[i]; printf("%u\n", h);
        w.l.cells = cells; w.l.other = w.room; w.l.n = 60; rule(&w.l, steps); for (int i = 0; i < 64; i++) h = h * 31 + w.room[i]; printf("%u\n", h);
    }
    return 0;
}
