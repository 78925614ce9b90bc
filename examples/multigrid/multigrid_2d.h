/* Steps of multigrid for Poisson's equation -(d2u/dx2 + d2u/dy2) = f on a square, five points.
 *
 * Grids that hold a right-hand side hold f times the square of the distance of two points of
 * their level, so that no distance appears in the equations:
 *
 *   4 u[i][j] - u[i-1][j] - u[i+1][j] - u[i][j-1] - u[i][j+1] = f[i][j]
 */
#include "cycles.h"

/* A grid of a level. */
#define NEW(level, grid) \
    double (*restrict grid)[POINTS_##level] \
        = malloc(sizeof(double[POINTS_##level][POINTS_##level]));

/* One stage: value at all points inside, rim(edge) around them; both are terms in i and j. */
#define STAGE(level, out, value, rim, edge) \
    _Pragma("omp parallel for") \
    for (int i = 1; i < POINTS_##level - 1; i++) { \
        out[i][0] = rim(edge[i][0]); \
        for (int j = 1; j < POINTS_##level - 1; j++) \
            out[i][j] = value; \
        out[i][POINTS_##level - 1] = rim(edge[i][POINTS_##level - 1]); \
    } \
    for (int j = 0; j < POINTS_##level; j++) { \
        out[0][j] = rim(edge[0][j]); \
        out[POINTS_##level - 1][j] = rim(edge[POINTS_##level - 1][j]); \
    }

/* A step of Jacobi's iteration takes this part of the correction that would solve the equation of
 * a point: 4/5 smooths best in two dimensions. The equation has 4 u[i][j]. */
#define WEIGHT (4.0 / 5 / 4)

/* One step of weighted Jacobi. */
#define SMOOTH(level, out, u, f) \
    STAGE(level, out, \
          u[i][j] + WEIGHT * (f[i][j] - (4 * u[i][j] - u[i - 1][j] - u[i + 1][j] \
                                         - u[i][j - 1] - u[i][j + 1])), \
          COPY, u)

/* The same where u is zero everywhere. */
#define START(level, out, f) STAGE(level, out, WEIGHT * f[i][j], ZERO, out)

/* The right-hand side of the next coarser level, which is called level here: the residual of u,
 * averaged over nine points with weights 1/4, 1/8 and 1/16, times four for the doubled distance.
 * Together with the five points of the equation that makes weights for 17 points of u: the
 * residual is never stored. Nobody reads the rim of a right-hand side. */
#define COARSEN(level, finer, out, u, f) \
    _Pragma("omp parallel for") \
    for (int i = 1; i < POINTS_##level - 1; i++) \
        for (int j = 1; j < POINTS_##level - 1; j++) \
            out[i][j] \
                = f[2 * i][2 * j] - 2 * u[2 * i][2 * j] \
                  + 0.5 * (f[2 * i - 1][2 * j] + f[2 * i + 1][2 * j] \
                           + f[2 * i][2 * j - 1] + f[2 * i][2 * j + 1] \
                           - u[2 * i - 1][2 * j] - u[2 * i + 1][2 * j] \
                           - u[2 * i][2 * j - 1] - u[2 * i][2 * j + 1] \
                           + u[2 * i - 2][2 * j] + u[2 * i + 2][2 * j] \
                           + u[2 * i][2 * j - 2] + u[2 * i][2 * j + 2]) \
                  + 0.25 * (f[2 * i - 1][2 * j - 1] + f[2 * i - 1][2 * j + 1] \
                            + f[2 * i + 1][2 * j - 1] + f[2 * i + 1][2 * j + 1] \
                            + u[2 * i - 2][2 * j - 1] + u[2 * i - 2][2 * j + 1] \
                            + u[2 * i - 1][2 * j - 2] + u[2 * i - 1][2 * j + 2] \
                            + u[2 * i + 1][2 * j - 2] + u[2 * i + 1][2 * j + 2] \
                            + u[2 * i + 2][2 * j - 1] + u[2 * i + 2][2 * j + 1]);

/* Grids that COARSEN writes. */
#define NEW_COARSER(level, finer, f) NEW(level, f)
#define FREE_COARSER(f) free(f);

/* u plus the correction e of the next coarser level, interpolated linearly: at points of both
 * levels the four terms are the same one, on lines between them two and two. */
#define CORRECT(level, out, u, e) \
    STAGE(level, out, \
          u[i][j] + (e[i / 2][j / 2] + e[i / 2][(j + 1) / 2] \
                     + e[(i + 1) / 2][j / 2] + e[(i + 1) / 2][(j + 1) / 2]) / 4, \
          COPY, u)
