/* Steps of multigrid for Poisson's equation -(d2u/dx2 + d2u/dy2 + d2u/dz2) = f in a cube, seven
 * points.
 *
 * Grids that hold a right-hand side or a residual hold it times the square of the distance of two
 * points of their level, so that no distance appears in the equations: AT(u) = f[i][j][k], where
 * AT is six times the value at a point less its six neighbours.
 */
#include "cycles.h"

/* A grid of a level. */
#define NEW(level, grid) \
    double (*restrict grid)[POINTS_##level][POINTS_##level] \
        = malloc(sizeof(double[POINTS_##level][POINTS_##level][POINTS_##level]));

/* One stage: value at all points inside, rim(edge) around them; value is a term in i, j and k. */
#define STAGE(level, out, value, rim, edge) \
    _Pragma("omp parallel for") \
    for (int i = 1; i < POINTS_##level - 1; i++) { \
        for (int k = 0; k < POINTS_##level; k++) \
            out[i][0][k] = rim(edge[i][0][k]); \
        for (int j = 1; j < POINTS_##level - 1; j++) { \
            out[i][j][0] = rim(edge[i][j][0]); \
            for (int k = 1; k < POINTS_##level - 1; k++) \
                out[i][j][k] = value; \
            out[i][j][POINTS_##level - 1] = rim(edge[i][j][POINTS_##level - 1]); \
        } \
        for (int k = 0; k < POINTS_##level; k++) \
            out[i][POINTS_##level - 1][k] = rim(edge[i][POINTS_##level - 1][k]); \
    } \
    _Pragma("omp parallel for") \
    for (int j = 0; j < POINTS_##level; j++) \
        for (int k = 0; k < POINTS_##level; k++) { \
            out[0][j][k] = rim(edge[0][j][k]); \
            out[POINTS_##level - 1][j][k] = rim(edge[POINTS_##level - 1][j][k]); \
        }

/* One stage whose rim nobody reads. */
#define STAGE_INSIDE(level, out, value) \
    _Pragma("omp parallel for") \
    for (int i = 1; i < POINTS_##level - 1; i++) \
        for (int j = 1; j < POINTS_##level - 1; j++) \
            for (int k = 1; k < POINTS_##level - 1; k++) \
                out[i][j][k] = value;

#define AT(u) \
    (6 * u[i][j][k] - u[i - 1][j][k] - u[i + 1][j][k] - u[i][j - 1][k] - u[i][j + 1][k] \
     - u[i][j][k - 1] - u[i][j][k + 1])

/* A step of Jacobi's iteration takes this part of the correction that would solve the equation of
 * a point: 6/7 smooths best in three dimensions. The equation has 6 u[i][j][k]. */
#define WEIGHT (6.0 / 7 / 6)

/* One step of weighted Jacobi. */
#define SMOOTH(level, out, u, f) \
    STAGE(level, out, u[i][j][k] + WEIGHT * (f[i][j][k] - AT(u)), COPY, u)

/* The same where u is zero everywhere. */
#define START(level, out, f) STAGE(level, out, WEIGHT * f[i][j][k], ZERO, out)

#define RESIDUAL(level, out, u, f) STAGE_INSIDE(level, out, f[i][j][k] - AT(u))

/* Residuals r of the next finer level averaged over 27 points with weights 1/8, 1/16, 1/32 and
 * 1/64, times four for the doubled distance. */
#define RESTRICT(level, out, r) \
    STAGE_INSIDE(level, out, \
        0.5 * r[2 * i][2 * j][2 * k] \
        + 0.25 * (r[2 * i - 1][2 * j][2 * k] + r[2 * i + 1][2 * j][2 * k] \
                  + r[2 * i][2 * j - 1][2 * k] + r[2 * i][2 * j + 1][2 * k] \
                  + r[2 * i][2 * j][2 * k - 1] + r[2 * i][2 * j][2 * k + 1]) \
        + 0.125 * (r[2 * i - 1][2 * j - 1][2 * k] + r[2 * i - 1][2 * j + 1][2 * k] \
                   + r[2 * i + 1][2 * j - 1][2 * k] + r[2 * i + 1][2 * j + 1][2 * k] \
                   + r[2 * i - 1][2 * j][2 * k - 1] + r[2 * i - 1][2 * j][2 * k + 1] \
                   + r[2 * i + 1][2 * j][2 * k - 1] + r[2 * i + 1][2 * j][2 * k + 1] \
                   + r[2 * i][2 * j - 1][2 * k - 1] + r[2 * i][2 * j - 1][2 * k + 1] \
                   + r[2 * i][2 * j + 1][2 * k - 1] + r[2 * i][2 * j + 1][2 * k + 1]) \
        + 0.0625 * (r[2 * i - 1][2 * j - 1][2 * k - 1] + r[2 * i - 1][2 * j - 1][2 * k + 1] \
                    + r[2 * i - 1][2 * j + 1][2 * k - 1] + r[2 * i - 1][2 * j + 1][2 * k + 1] \
                    + r[2 * i + 1][2 * j - 1][2 * k - 1] + r[2 * i + 1][2 * j - 1][2 * k + 1] \
                    + r[2 * i + 1][2 * j + 1][2 * k - 1] \
                    + r[2 * i + 1][2 * j + 1][2 * k + 1]))

/* The right-hand side of the next coarser level, which is called level here: two stages. */
#define COARSEN(level, finer, out, u, f) \
    RESIDUAL(finer, out##_residual, u, f) \
    RESTRICT(level, out, out##_residual)

/* Grids that COARSEN writes. */
#define NEW_COARSER(level, finer, f) NEW(finer, f##_residual) NEW(level, f)
#define FREE_COARSER(f) \
    free(f); \
    free(f##_residual);

/* u plus the correction e of the next coarser level, interpolated linearly: at points of both
 * levels the eight terms are the same one, on lines between them four and four. */
#define CORRECT(level, out, u, e) \
    STAGE(level, out, \
          u[i][j][k] \
          + (e[i / 2][j / 2][k / 2] + e[i / 2][j / 2][(k + 1) / 2] \
             + e[i / 2][(j + 1) / 2][k / 2] + e[i / 2][(j + 1) / 2][(k + 1) / 2] \
             + e[(i + 1) / 2][j / 2][k / 2] + e[(i + 1) / 2][j / 2][(k + 1) / 2] \
             + e[(i + 1) / 2][(j + 1) / 2][k / 2] \
             + e[(i + 1) / 2][(j + 1) / 2][(k + 1) / 2]) / 8, \
          COPY, u)
