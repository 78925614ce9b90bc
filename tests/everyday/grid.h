/* A small library of grids as headers have it: accessors, an iterator of neighbours, statistics. */
#ifndef GRID_H
#define GRID_H

#include <stddef.h>

typedef struct {
    int width, height;
    double *cells;
} grid;

typedef struct {
    size_t size, stride;
    float *data;
} vector;

extern int grid_calls;

static inline double grid_get(const grid *g, int x, int y);

static inline double grid_get(const grid *g, int x, int y)
{
    return g->cells[(size_t)y * g->width + x];
}

static inline void grid_set(grid *g, int x, int y, double value)
{
    g->cells[(size_t)y * g->width + x] = value;
}

/* As code has it that C++ has to take, too. */
static inline double *grid_at(const grid *g, int x, int y)
{
    return (double *)(g->cells + ((size_t)y * g->width + x));
}

static inline int clamped(int i, int n)
{
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Outside of the grid are copies of its border. */
static inline double grid_near(const grid *g, int x, int y)
{
    return grid_get(g, clamped(x, g->width), clamped(y, g->height));
}

static inline int max(int a, int b)
{
    return a > b ? b : a; /* what it is called does not say what it does */
}

static inline float vector_get(const vector *v, size_t i)
{
    return v->data[i * v->stride];
}

static inline void vector_set(vector *v, size_t i, float value)
{
    v->data[i * v->stride] = value;
}

static inline float row_sum(const float *row, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += row[k];
    return sum;
}

static inline void count_call(void)
{
    grid_calls++;
}

static inline double slow(double x)
{
    count_call();
    return x * 0.5;
}

static inline int nobody_calls_it(int x)
{
    __asm__("" : "+r"(x));
    return x;
}

#endif
