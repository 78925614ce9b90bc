/* Accessors and small functions that an included file defines. */
#include "grid.h"
#include <stdio.h>
#include <stdlib.h>

int grid_calls = 0;

static void smooth(grid *to, const grid *from)
{
#pragma scop
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++)
            grid_set(to, x, y,
                     0.2 * (grid_near(from, x, y) + grid_near(from, x - 1, y) +
                            grid_near(from, x + 1, y) + grid_near(from, x, y - 1) +
                            grid_near(from, x, y + 1)));
#pragma endscop
}

static void shade(grid *g, const double *by)
{
#pragma scop
    for (int y = 0; y < g->height; y++)
        for (int x = 0; x < g->width; x++) {
            double *cell = grid_at(g, x, y);
            *cell *= by[x] + by[y];
        }
#pragma endscop
}

static void mirror(grid *g)
{
#pragma scop
    for (int y = 0; y < g->height; y++)
        for (int x = 0; x < g->width / 2; x++) {
            double was = *grid_at(g, x, y);
            *grid_at(g, x, y) = grid_get(g, g->width - 1 - x, y);
            *grid_at(g, g->width - 1 - x, y) = was;
        }
#pragma endscop
}

static void axpy(float a, const vector *x, vector *y)
{
#pragma scop
    for (size_t i = 0; i < x->size; i++)
        vector_set(y, i, vector_get(y, i) + a * vector_get(x, i));
#pragma endscop
}

static void sums(int n, int m, float a[n][m], float out[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = row_sum(a[i], m);
#pragma endscop
}

static void smaller(int n, const int *a, const int *b, int *out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = max(a[i], b[i]);
#pragma endscop
}

static void halves(int n, double *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = slow(a[i]);
#pragma endscop
}

static double hash(const void *at, size_t bytes)
{
    const unsigned char *p = at;
    unsigned long h = 14695981039346656037ul;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 1099511628211ul;
    return (double)(h >> 11);
}

int main(void)
{
    enum { W = 37, H = 23, N = 300 };
    static double a[W * H], b[W * H];
    static float v[3 * N], w[2 * N], rows[H][W], out[H];
    static int p[N], q[N], r[N];
    for (int i = 0; i < W * H; i++)
        a[i] = (i * 7 % 31) * 0.25;
    for (int i = 0; i < 3 * N; i++)
        v[i] = (i * 5 % 17) * 0.5f;
    for (int i = 0; i < 2 * N; i++)
        w[i] = (i * 3 % 13) * 0.125f;
    for (int i = 0; i < H; i++)
        for (int k = 0; k < W; k++)
            rows[i][k] = (i * k % 11) * 0.5f;
    for (int i = 0; i < N; i++) {
        p[i] = i * 37 % 101;
        q[i] = i * 53 % 97;
    }
    grid from = {W, H, a}, to = {W, H, b};
    smooth(&to, &from);
    printf("smooth %.0f\n", hash(b, sizeof b));
    smooth(&from, &from); /* in place */
    printf("in place %.0f\n", hash(a, sizeof a));
    shade(&from, b);
    shade(&to, b + 3); /* by what it shades */
    mirror(&from);
    printf("shade %.0f %.0f\n", hash(a, sizeof a), hash(b, sizeof b));
    vector x = {N, 3, v}, y = {N, 2, w};
    axpy(1.5f, &x, &y);
    printf("axpy %.0f\n", hash(w, sizeof w));
    vector front = {N, 1, v}, behind = {N, 1, v + 1}; /* each reads what the one before wrote */
    axpy(0.5f, &front, &behind);
    printf("over itself %.0f\n", hash(v, sizeof v));
    sums(H, W, rows, out);
    printf("sums %.0f\n", hash(out, sizeof out));
    smaller(N, p, q, r);
    printf("smaller %.0f\n", hash(r, sizeof r));
    halves(W * H, a);
    printf("halves %.0f %d\n", hash(a, sizeof a), grid_calls);
    return 0;
}
