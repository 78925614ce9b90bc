/* Deriche's recursive smoothing filter on a w x h picture. Along every row runs
 * a causal second-order recursion from the left (y1) and an anticausal one from
 * the right (y2), and their sum is the filtered row; then the same along every
 * column of that. alpha > 0 sets the width of the filter: the smaller, the wider.
 *
 * The scalars hold the values last read and computed:
 *   xm1, tm1            the input one step behind
 *   ym1, ym2            the output one and two steps behind
 *   xp1, xp2, tp1, tp2  the input one and two steps ahead
 *   yp1, yp2            the output one and two steps ahead
 */
#include <math.h>

void deriche(int w, int h, float alpha,
             float imgIn[restrict w][h], float imgOut[restrict w][h],
             float y1[restrict w][h], float y2[restrict w][h])
{
    float k;
    float a1, a2, a3, a4, a5, a6, a7, a8;
    float b1, b2, c1, c2;
    float xm1, tm1, ym1, ym2;
    float xp1, xp2, tp1, tp2, yp1, yp2;

#pragma scop
    /* the coefficients: k normalises; a5 to a8 and c2 belong to the columns */
    k = (1.0f - expf(-alpha)) * (1.0f - expf(-alpha))
      / (1.0f + 2.0f * alpha * expf(-alpha) - expf(2.0f * alpha));
    a1 = k;
    a5 = k;
    a2 = k * expf(-alpha) * (alpha - 1.0f);
    a6 = k * expf(-alpha) * (alpha - 1.0f);
    a3 = k * expf(-alpha) * (alpha + 1.0f);
    a7 = k * expf(-alpha) * (alpha + 1.0f);
    a4 = -k * expf(-2.0f * alpha);
    a8 = -k * expf(-2.0f * alpha);
    b1 = powf(2.0f, -alpha);
    b2 = -expf(-2.0f * alpha);
    c1 = 1.0f;
    c2 = 1.0f;

    /* rows, from the left */
    for (int i = 0; i < w; i++) {
        ym1 = 0.0f;
        ym2 = 0.0f;
        xm1 = 0.0f;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * imgIn[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = imgIn[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    /* rows, from the right */
    for (int i = 0; i < w; i++) {
        yp1 = 0.0f;
        yp2 = 0.0f;
        xp1 = 0.0f;
        xp2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = imgIn[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            imgOut[i][j] = c1 * (y1[i][j] + y2[i][j]);

    /* columns, from the top */
    for (int j = 0; j < h; j++) {
        tm1 = 0.0f;
        ym1 = 0.0f;
        ym2 = 0.0f;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a5 * imgOut[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = imgOut[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }

    /* columns, from the bottom */
    for (int j = 0; j < h; j++) {
        tp1 = 0.0f;
        tp2 = 0.0f;
        yp1 = 0.0f;
        yp2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = imgOut[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }

    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++)
            imgOut[i][j] = c2 * (y1[i][j] + y2[i][j]);
#pragma endscop
}
