/* Structures that are there only where something is done with them. */
#include <stdio.h>
#include <stdlib.h>

struct grid { int w, h; float *cur, *next; };

void steps(struct grid *g, int n)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        for (int y = 1; y < g->h - 1; y++)
            for (int x = 1; x < g->w - 1; x++)
                g->next[y * g->w + x] = 0.25f * (g->cur[y * g->w + x - 1] + g->cur[y * g->w + x + 1]
                                                 + g->cur[(y - 1) * g->w + x] + g->cur[(y + 1) * g->w + x]);
        float *last = g->cur;
        g->cur = g->next;
        g->next = last;
    }
#pragma endscop
}

void fade(const struct grid *g, int n)
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int i = 1; i < g->w - 1; i++)
            g->next[i] = g->next[i] * 0.5f + g->cur[i - 1] + g->cur[i + 1];
#pragma endscop
}

struct layer { struct grid *of; int n; };

void nested(struct layer *l, int n)
{
#pragma scop
    for (int t = 0; t < n; t++)
        for (int k = 0; k < l->n; k++)
            for (int i = 0; i < l->of->w; i++)
                l->of->cur[i] += (float)k;
#pragma endscop
}

struct rows { int n; int *first; double *value; };

double sums(const struct rows *a, const int *which, int n, double *restrict out)
{
    double s = 0;
#pragma scop
    for (int t = 0; t < n; t++)
        if (which[t])
            for (int i = 0; i < a->n; i++)
                for (int k = a->first[i]; k < a->first[i + 1]; k++)
                    out[i] += a->value[k];
    for (int t = 0; t < n; t++)
        s += which[t];
#pragma endscop
    return s;
}

int main(void)
{
    steps(NULL, 0);
    fade(NULL, 0);
    nested(NULL, 0);
    struct layer none = {NULL, 0};
    nested(&none, 3);
    int never[4] = {0, 0, 0, 0}, once[4] = {0, 1, 0, 0}, first[3] = {0, 2, 3};
    double value[3] = {1, 2, 4}, out[2] = {0, 0};
    struct rows a = {2, first, value};
    double s = sums(NULL, never, 4, out) + sums(NULL, NULL, 0, NULL) + sums(&a, once, 4, out);
    struct grid g = {20, 10, calloc(200, sizeof(float)), calloc(200, sizeof(float))};
    for (int i = 0; i < 200; i++)
        g.cur[i] = (float)(i % 9);
    struct layer l = {&g, 2};
    steps(&g, 3);
    fade(&g, 2);
    nested(&l, 2);
    double t = 0;
    for (int i = 0; i < 200; i++)
        t += g.cur[i];
    printf("%g %g %g %g\n", s, out[0], out[1], t);
    free(g.cur);
    free(g.next);
    return 0;
}
