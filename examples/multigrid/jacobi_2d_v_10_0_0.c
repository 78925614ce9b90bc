/* Poisson's equation on a square by geometric multigrid: one V cycle over four levels with
 * weighted Jacobi smoothing, 10-0-0: ten steps before going to a coarser level, none on the
 * coarsest, none after coming back.
 *
 * out is what one cycle makes of u, f the right-hand side times the square of the distance of
 * two points; the rim of u holds the values at the edge. All have 8 n + 9 points in each
 * dimension, n >= 1: see cycles.h for the levels and multigrid_2d.h for the steps. In 34 stages:
 *
 *    30  smoothing: 10 steps on levels 1 to 3
 *     2  residuals, restricted to the next coarser level: one for each way down
 *     2  corrections from the next coarser level, interpolated
 *
 * There are no steps on level 0, whose correction would be zero: nothing goes down from level 1.
 *
 * Table 9 of Jangda and Bondhugula (2020) has as many: 595 groupings are those of a chain of 34,
 * although its column of stages says 7. That is one stage for each way down less than
 * PolyMage's program has, where the residual is a stage of its own: see COARSEN in
 * multigrid_2d.h.
 */
#include "multigrid_2d.h"

void jacobi_2d_v_10_0_0(int n, double out[restrict POINTS_3][POINTS_3],
                        const double u[restrict POINTS_3][POINTS_3],
                        const double f[restrict POINTS_3][POINTS_3])
{
    NEW_10(3, pre3)
    NEW_COARSER(2, 3, f2)
    NEW_10(2, pre2)
    NEW_COARSER(1, 2, f1)
    NEW_10(1, pre1)
    NEW(2, correct2)

#pragma scop
    SMOOTH_10(3, pre3, u, f)
    COARSEN(2, 3, f2, pre3_10, f)

    START_10(2, pre2, f2)
    COARSEN(1, 2, f1, pre2_10, f2)

    START_10(1, pre1, f1)

    CORRECT(2, correct2, pre2_10, pre1_10)

    CORRECT(3, out, pre3_10, correct2)
#pragma endscop

    free(correct2);
    FREE_10(pre1)
    FREE_COARSER(f1)
    FREE_10(pre2)
    FREE_COARSER(f2)
    FREE_10(pre3)
}
