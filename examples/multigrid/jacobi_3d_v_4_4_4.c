/* Poisson's equation in a cube by geometric multigrid: one V cycle over four levels with
 * weighted Jacobi smoothing, 4-4-4: four steps before going to a coarser level, four on the
 * coarsest, four after coming back.
 *
 * out is what one cycle makes of u, f the right-hand side times the square of the distance of
 * two points; the rim of u holds the values at the edge. All have 8 n + 9 points in each
 * dimension, n >= 1: see cycles.h for the levels and multigrid_3d.h for the steps. In 37 stages:
 *
 *    12  smoothing on the way down: 4 steps on levels 1 to 3
 *     4  smoothing on level 0
 *    12  smoothing on the way up: as many
 *     3  residuals: one for each way down
 *     3  restrictions of them to the next coarser level
 *     3  corrections from the next coarser level, interpolated
 *
 * Table 9 of Jangda and Bondhugula (2020) has as many, and so has PolyMage's program.
 */
#include "multigrid_3d.h"

void jacobi_3d_v_4_4_4(int n, double out[restrict POINTS_3][POINTS_3][POINTS_3],
                       const double u[restrict POINTS_3][POINTS_3][POINTS_3],
                       const double f[restrict POINTS_3][POINTS_3][POINTS_3])
{
    NEW_4(3, pre3)
    NEW_COARSER(2, 3, f2)
    NEW_4(2, pre2)
    NEW_COARSER(1, 2, f1)
    NEW_4(1, pre1)
    NEW_COARSER(0, 1, f0)
    NEW_4(0, coarse)
    NEW(1, correct1)
    NEW_4(1, post1)
    NEW(2, correct2)
    NEW_4(2, post2)
    NEW(3, correct3)
    NEW(3, post3_1)
    NEW(3, post3_2)
    NEW(3, post3_3)

#pragma scop
    SMOOTH_4(3, pre3, u, f)
    COARSEN(2, 3, f2, pre3_4, f)

    START_4(2, pre2, f2)
    COARSEN(1, 2, f1, pre2_4, f2)

    START_4(1, pre1, f1)
    COARSEN(0, 1, f0, pre1_4, f1)

    START_4(0, coarse, f0)

    CORRECT(1, correct1, pre1_4, coarse_4)
    SMOOTH_4(1, post1, correct1, f1)

    CORRECT(2, correct2, pre2_4, post1_4)
    SMOOTH_4(2, post2, correct2, f2)

    CORRECT(3, correct3, pre3_4, post2_4)
    SMOOTH(3, post3_1, correct3, f)
    SMOOTH(3, post3_2, post3_1, f)
    SMOOTH(3, post3_3, post3_2, f)
    SMOOTH(3, out, post3_3, f)
#pragma endscop

    free(post3_3);
    free(post3_2);
    free(post3_1);
    free(correct3);
    FREE_4(post2)
    free(correct2);
    FREE_4(post1)
    free(correct1);
    FREE_4(coarse)
    FREE_COARSER(f0)
    FREE_4(pre1)
    FREE_COARSER(f1)
    FREE_4(pre2)
    FREE_COARSER(f2)
    FREE_4(pre3)
}
