/* Poisson's equation in a cube by geometric multigrid: one W cycle over four levels with
 * weighted Jacobi smoothing, 10-0-0: ten steps before going to a coarser level, none on the
 * coarsest, none after coming back.
 *
 * out is what one cycle makes of u, f the right-hand side times the square of the distance of
 * two points; the rim of u holds the values at the edge. All have 8 n + 9 points in each
 * dimension, n >= 1: see cycles.h for the levels and multigrid_3d.h for the steps. In 79 stages:
 *
 *    70  smoothing: 10 steps on level 3, twice on level 2, four times on level 1
 *     3  residuals: one for each way down
 *     3  restrictions of them to the next coarser level
 *     3  corrections from the next coarser level, interpolated
 *
 * There are no steps on level 0, whose correction would be zero: nothing goes down from level 1.
 *
 * Table 9 of Jangda and Bondhugula (2020) has as many, and so has PolyMage's program.
 */
#include "multigrid_3d.h"

void jacobi_3d_w_10_0_0(int n, double out[restrict POINTS_3][POINTS_3][POINTS_3],
                        const double u[restrict POINTS_3][POINTS_3][POINTS_3],
                        const double f[restrict POINTS_3][POINTS_3][POINTS_3])
{
    NEW_10(3, pre3)
    NEW_COARSER(2, 3, f2)
    NEW_10(2, pre2a)
    NEW_COARSER(1, 2, f1a)
    NEW_10(1, pre1a)
    NEW_10(1, pre1b)
    NEW(2, correct2a)
    NEW_10(2, pre2b)
    NEW_COARSER(1, 2, f1b)
    NEW_10(1, pre1c)
    NEW_10(1, pre1d)
    NEW(2, correct2b)

#pragma scop
    SMOOTH_10(3, pre3, u, f)
    COARSEN(2, 3, f2, pre3_10, f)

    /* Level 2, first visit, and twice level 1. */
    START_10(2, pre2a, f2)
    COARSEN(1, 2, f1a, pre2a_10, f2)
    START_10(1, pre1a, f1a)
    SMOOTH_10(1, pre1b, pre1a_10, f1a)
    CORRECT(2, correct2a, pre2a_10, pre1b_10)

    /* Level 2, second visit, and twice level 1. */
    SMOOTH_10(2, pre2b, correct2a, f2)
    COARSEN(1, 2, f1b, pre2b_10, f2)
    START_10(1, pre1c, f1b)
    SMOOTH_10(1, pre1d, pre1c_10, f1b)
    CORRECT(2, correct2b, pre2b_10, pre1d_10)

    CORRECT(3, out, pre3_10, correct2b)
#pragma endscop

    free(correct2b);
    FREE_10(pre1d)
    FREE_10(pre1c)
    FREE_COARSER(f1b)
    FREE_10(pre2b)
    free(correct2a);
    FREE_10(pre1b)
    FREE_10(pre1a)
    FREE_COARSER(f1a)
    FREE_10(pre2a)
    FREE_COARSER(f2)
    FREE_10(pre3)
}
