/* Buffers that change places where two names are one structure, each turn has its own, or rows are of
 * a length that has changed since.
 */
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int *cur, *next;
};

static void two(struct grid *s, struct grid *r, int n, int s1, int s2)
{
#pragma scop
    for (int t = 0; t < s1; t++) {
        for (int i = 1; i < n - 1; i++)
            s->next[i] = (s->cur[i - 1] + s->cur[i + 1]) & 255;
        int *x = s->cur;
        s->cur = s->next;
        s->next = x;
    }
    for (int t = 0; t < s2; t++) {
        for (int i = n + 1; i < 2 * n - 1; i++)
            r->next[i] = (r->cur[i - 1] + r->cur[i + 1] + 3) & 255;
        int *x = r->cur;
        r->cur = r->next;
        r->next = x;
    }
#pragma endscop
}

static void two_pairs(int **p, int **q, int n, int **u, int **v, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            (*q)[i] = ((*p)[i - 1] + (*p)[i + 1]) & 255;
        int *x = *p;
        *p = *q;
        *q = x;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            (*v)[i] = ((*u)[i - 1] + (*u)[i + 1] + 1) & 255;
        int *x = *u;
        *u = *v;
        *v = x;
    }
#pragma endscop
}

static void each(struct grid *s, int n, int count)
{
    struct grid *all = s;
#pragma scop
    for (int k = 0; k < count; k++) {
        struct grid *s = all + k;
        for (int i = 1; i < n - 1; i++)
            s->next[i] = (s->cur[i - 1] + s->cur[i + 1]) & 255;
        int *x = s->cur;
        s->cur = s->next;
        s->next = x;
    }
#pragma endscop
}

static void one_inside(struct grid *g, int n, int steps)
{
#pragma scop
    struct grid *s = g;
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            s->next[i] = (s->cur[i - 1] + s->cur[i + 1]) & 255;
        int *x = s->cur;
        s->cur = s->next;
        s->next = x;
    }
#pragma endscop
}

static double *rows(int n, double (*a)[n], double (*b)[n], int steps)
{
    n -= 2;
#pragma scop
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        void *t = a;
        a = b;
        b = t;
    }
#pragma endscop
    return &a[0][0];
}

static double by_parity(int n, double (*a)[n], double (*b)[n], int steps)
{
    n -= 2;
#pragma scop
    for (int s = 0; s < steps; s++) {
        double(*from)[n + 2] = s % 2 ? b : a, (*to)[n + 2] = s % 2 ? a : b;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= n; j++)
                to[i][j] = 0.5 * (from[i - 1][j] + from[i][j + 1]);
    }
#pragma endscop
    return a[1][1] + b[n / 2][n];
}

int main(void)
{
    enum { N = 2000, M = 60 };
    int *a = malloc(2 * N * sizeof *a), *b = malloc(2 * N * sizeof *b);
    int *c = malloc(2 * N * sizeof *c), *d = malloc(2 * N * sizeof *d);
    double *x = malloc(M * M * sizeof *x), *y = malloc(M * M * sizeof *y);
    for (int way = 0; way < 6; way++) {
        for (int i = 0; i < 2 * N; i++) {
            a[i] = i & 255;
            b[i] = i * 7 & 255;
            c[i] = i * 3 & 255;
            d[i] = i * 5 & 255;
        }
        for (int i = 0; i < M * M; i++) {
            x[i] = i % 7;
            y[i] = i % 5;
        }
        struct grid g[2] = {{a, b}, {c, d}};
        int *p = a, *q = b;
        double result = 0;
        switch (way) {
        case 0: two(g, g, N, 3, 4); break;
        case 1: two_pairs(&p, &q, N, &q, &p, 3); break;
        case 2: each(g, N, 2); break;
        case 3: one_inside(g, N, 3); break;
        case 4: result = rows(M, (void *)x, (void *)y, 3) == x; break;
        case 5: result = by_parity(M, (void *)x, (void *)y, 4); break;
        }
        unsigned hash = 0;
        for (int i = 0; i < 2 * N; i++)
            hash = hash * 31 + (unsigned)(a[i] * 3 + b[i] + c[i] * 7 + d[i] * 5);
        double sum = 0;
        for (int i = 0; i < M * M; i++)
            sum = sum * 0.999 + x[i] - 3 * y[i];
        printf("%d %d %d %d %d %u %.17g %.17g\n", way, g[0].cur == a, g[1].next == c, p == a, q == a,
               hash, result, sum);
    }
    return 0;
}
