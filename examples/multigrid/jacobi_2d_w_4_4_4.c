/* Poisson's equation on a square by geometric multigrid: one W cycle over four levels with
 * weighted Jacobi smoothing, 4-4-4: four steps before going to a coarser level, four on the
 * coarsest, four after coming back.
 *
 * out is what one cycle makes of u, f the right-hand side times the square of the distance of
 * two points; the rim of u holds the values at the edge. All have 8 n + 9 points in each
 * dimension, n >= 1: see cycles.h for the levels and multigrid_2d.h for the steps. In 102 stages:
 *
 *    28  smoothing on the way down: 4 steps on level 3, twice on 2, four times on 1
 *    32  smoothing on level 0: 4 steps, eight times
 *    28  smoothing on the way up: as many
 *     7  residuals, restricted to the next coarser level: one for each way down
 *     7  corrections from the next coarser level, interpolated
 *
 * Table 9 of Jangda and Bondhugula (2020) has as many stages, one for each way down less than
 * PolyMage's program has, where the residual is a stage of its own: see COARSEN in
 * multigrid_2d.h.
 */
#include "multigrid_2d.h"

void jacobi_2d_w_4_4_4(int n, double out[restrict POINTS_3][POINTS_3],
                       const double u[restrict POINTS_3][POINTS_3],
                       const double f[restrict POINTS_3][POINTS_3])
{
    NEW_4(3, pre3)
    NEW_COARSER(2, 3, f2)
    NEW_4(2, pre2a)
    NEW_COARSER(1, 2, f1a)
    NEW_4(1, pre1a)
    NEW_COARSER(0, 1, f0a)
    NEW_4(0, coarsea)
    NEW_4(0, againa)
    NEW(1, correct1a)
    NEW_4(1, post1a)
    NEW_4(1, pre1b)
    NEW_COARSER(0, 1, f0b)
    NEW_4(0, coarseb)
    NEW_4(0, againb)
    NEW(1, correct1b)
    NEW_4(1, post1b)
    NEW(2, correct2a)
    NEW_4(2, post2a)
    NEW_4(2, pre2b)
    NEW_COARSER(1, 2, f1b)
    NEW_4(1, pre1c)
    NEW_COARSER(0, 1, f0c)
    NEW_4(0, coarsec)
    NEW_4(0, againc)
    NEW(1, correct1c)
    NEW_4(1, post1c)
    NEW_4(1, pre1d)
    NEW_COARSER(0, 1, f0d)
    NEW_4(0, coarsed)
    NEW_4(0, againd)
    NEW(1, correct1d)
    NEW_4(1, post1d)
    NEW(2, correct2b)
    NEW_4(2, post2b)
    NEW(3, correct3)
    NEW(3, post3_1)
    NEW(3, post3_2)
    NEW(3, post3_3)

#pragma scop
    SMOOTH_4(3, pre3, u, f)
    COARSEN(2, 3, f2, pre3_4, f)

    /* Level 2, first visit. */
    START_4(2, pre2a, f2)
    COARSEN(1, 2, f1a, pre2a_4, f2)

    /* Level 1, first visit, and twice level 0. */
    START_4(1, pre1a, f1a)
    COARSEN(0, 1, f0a, pre1a_4, f1a)
    START_4(0, coarsea, f0a)
    SMOOTH_4(0, againa, coarsea_4, f0a)
    CORRECT(1, correct1a, pre1a_4, againa_4)
    SMOOTH_4(1, post1a, correct1a, f1a)

    /* Level 1, second visit, and twice level 0. */
    SMOOTH_4(1, pre1b, post1a_4, f1a)
    COARSEN(0, 1, f0b, pre1b_4, f1a)
    START_4(0, coarseb, f0b)
    SMOOTH_4(0, againb, coarseb_4, f0b)
    CORRECT(1, correct1b, pre1b_4, againb_4)
    SMOOTH_4(1, post1b, correct1b, f1a)

    /* Level 2, first visit, on the way up. */
    CORRECT(2, correct2a, pre2a_4, post1b_4)
    SMOOTH_4(2, post2a, correct2a, f2)

    /* Level 2, second visit. */
    SMOOTH_4(2, pre2b, post2a_4, f2)
    COARSEN(1, 2, f1b, pre2b_4, f2)

    /* Level 1, third visit, and twice level 0. */
    START_4(1, pre1c, f1b)
    COARSEN(0, 1, f0c, pre1c_4, f1b)
    START_4(0, coarsec, f0c)
    SMOOTH_4(0, againc, coarsec_4, f0c)
    CORRECT(1, correct1c, pre1c_4, againc_4)
    SMOOTH_4(1, post1c, correct1c, f1b)

    /* Level 1, fourth visit, and twice level 0. */
    SMOOTH_4(1, pre1d, post1c_4, f1b)
    COARSEN(0, 1, f0d, pre1d_4, f1b)
    START_4(0, coarsed, f0d)
    SMOOTH_4(0, againd, coarsed_4, f0d)
    CORRECT(1, correct1d, pre1d_4, againd_4)
    SMOOTH_4(1, post1d, correct1d, f1b)

    /* Level 2, second visit, on the way up. */
    CORRECT(2, correct2b, pre2b_4, post1d_4)
    SMOOTH_4(2, post2b, correct2b, f2)

    CORRECT(3, correct3, pre3_4, post2b_4)
    SMOOTH(3, post3_1, correct3, f)
    SMOOTH(3, post3_2, post3_1, f)
    SMOOTH(3, post3_3, post3_2, f)
    SMOOTH(3, out, post3_3, f)
#pragma endscop

    free(post3_3);
    free(post3_2);
    free(post3_1);
    free(correct3);
    FREE_4(post2b)
    free(correct2b);
    FREE_4(post1d)
    free(correct1d);
    FREE_4(againd)
    FREE_4(coarsed)
    FREE_COARSER(f0d)
    FREE_4(pre1d)
    FREE_4(post1c)
    free(correct1c);
    FREE_4(againc)
    FREE_4(coarsec)
    FREE_COARSER(f0c)
    FREE_4(pre1c)
    FREE_COARSER(f1b)
    FREE_4(pre2b)
    FREE_4(post2a)
    free(correct2a);
    FREE_4(post1b)
    free(correct1b);
    FREE_4(againb)
    FREE_4(coarseb)
    FREE_COARSER(f0b)
    FREE_4(pre1b)
    FREE_4(post1a)
    free(correct1a);
    FREE_4(againa)
    FREE_4(coarsea)
    FREE_COARSER(f0a)
    FREE_4(pre1a)
    FREE_COARSER(f1a)
    FREE_4(pre2a)
    FREE_COARSER(f2)
    FREE_4(pre3)
}
