/* What all multigrid cycles of this folder are written with, in two and in three dimensions:
 * several smoothing steps in a row. multigrid_2d.h and multigrid_3d.h say what one step is.
 *
 * Four levels, 0 the coarsest. Level 0 has n points between the edges of the grid in each
 * dimension, level l + 1 has one more between any two of level l and one at either end:
 *
 *   level   points inside   with the rim
 *       0               n          n + 2
 *       1           2 n + 1      2 n + 3
 *       2           4 n + 3      4 n + 5
 *       3           8 n + 7      8 n + 9
 *
 * Point i of level l is point 2 i of level l + 1. The points of the rim, 0 and the last, have
 * fixed values: on level 3 those that the caller gives, on the other levels, which solve for
 * corrections, zero. Sizes are written in n and not as halves of the finest size, so that they
 * are exact for every n >= 1.
 *
 * Time is unrolled: every step writes a grid of its own, which is one stage.
 */
#include <stdlib.h>

#define POINTS_0 (n + 2)
#define POINTS_1 (2 * n + 3)
#define POINTS_2 (4 * n + 5)
#define POINTS_3 (8 * n + 9)

/* What the rim of a new grid gets: zero, or the values of another grid, given with its indices. */
#define ZERO(value) 0
#define COPY(value) value

/* Four steps: grids name_1 to name_4. */
#define NEW_4(level, name) \
    NEW(level, name##_1) NEW(level, name##_2) NEW(level, name##_3) NEW(level, name##_4)

#define FREE_4(name) \
    free(name##_4); \
    free(name##_3); \
    free(name##_2); \
    free(name##_1);

#define NEXT_3(level, name, f) \
    SMOOTH(level, name##_2, name##_1, f) \
    SMOOTH(level, name##_3, name##_2, f) \
    SMOOTH(level, name##_4, name##_3, f)

/* From u towards the solution for the right-hand side f. */
#define SMOOTH_4(level, name, u, f) \
    SMOOTH(level, name##_1, u, f) \
    NEXT_3(level, name, f)

/* The same from zero. */
#define START_4(level, name, f) \
    START(level, name##_1, f) \
    NEXT_3(level, name, f)

/* Ten steps: grids name_1 to name_10. */
#define NEW_10(level, name) \
    NEW_4(level, name) NEW(level, name##_5) NEW(level, name##_6) NEW(level, name##_7) \
    NEW(level, name##_8) NEW(level, name##_9) NEW(level, name##_10)

#define FREE_10(name) \
    free(name##_10); \
    free(name##_9); \
    free(name##_8); \
    free(name##_7); \
    free(name##_6); \
    free(name##_5); \
    FREE_4(name)

#define NEXT_6(level, name, f) \
    SMOOTH(level, name##_5, name##_4, f) \
    SMOOTH(level, name##_6, name##_5, f) \
    SMOOTH(level, name##_7, name##_6, f) \
    SMOOTH(level, name##_8, name##_7, f) \
    SMOOTH(level, name##_9, name##_8, f) \
    SMOOTH(level, name##_10, name##_9, f)

#define SMOOTH_10(level, name, u, f) \
    SMOOTH_4(level, name, u, f) \
    NEXT_6(level, name, f)

#define START_10(level, name, f) \
    START_4(level, name, f) \
    NEXT_6(level, name, f)
