/* Pyramid blending: two pictures joined along a mask, each scale over a seam of its own width.
 *
 * A picture is taken apart into four levels: the coarsest, and for each finer one what the level
 * above it lacks of it. The levels are blended one by one with the mask at their size and put
 * together again. In 40 stages, for l = 1 .. 3 where nothing else is said:
 *
 *   Dx_l_img1, _img2, _mask   level l - 1 smoothed with 1 4 6 4 1 at half as many rows
 *   Dy_l_img1, _img2, _mask   the same at half as many columns: level l
 *   Ux_l_img1, _img2          level l + 1 at twice as many rows, l = 2, 1, 0
 *   Uy_l_img1, _img2          level l minus the same at twice as many columns: what was lacking
 *   Res_l                     Uy_l_img1 where the mask is 1, Uy_l_img2 where it is 0; at l = 3
 *                             Dy_3_img1 and Dy_3_img2
 *   Col_l_x, Col_l            the blended level l + 1 brought up, plus Res_l, for l = 2, 1
 *   blend_x, blend            the same for l = 0: the result
 *
 * Level l has R / 2^l x C / 2^l pixels, rounded down; its pixel (i, j) sits on pixel (2i, 2j) of
 * the level below. Nothing is computed where the kernels would reach over an edge, so that
 * each level up is narrower than the last. Of R x C pixels 31 are lost at the top and on the
 * left, and 29 at the bottom and on the right.
 */
#include <stdlib.h>

void pyramid_blending(int R, int C,
                      float blend[restrict 3][R - 60][C - 60],
                      const float img1[restrict 3][R][C],
                      const float img2[restrict 3][R][C],
                      const float mask[restrict R][C])
{
    float (*restrict Dx_1_img1)[R / 2][C] = malloc(sizeof(float[3][R / 2][C]));
    float (*restrict Dy_1_img1)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict Dx_1_img2)[R / 2][C] = malloc(sizeof(float[3][R / 2][C]));
    float (*restrict Dy_1_img2)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict Dx_1_mask)[C] = malloc(sizeof(float[R / 2][C]));
    float (*restrict Dy_1_mask)[C / 2] = malloc(sizeof(float[R / 2][C / 2]));
    float (*restrict Dx_2_img1)[R / 4][C / 2] = malloc(sizeof(float[3][R / 4][C / 2]));
    float (*restrict Dy_2_img1)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Dx_2_img2)[R / 4][C / 2] = malloc(sizeof(float[3][R / 4][C / 2]));
    float (*restrict Dy_2_img2)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Dx_2_mask)[C / 2] = malloc(sizeof(float[R / 4][C / 2]));
    float (*restrict Dy_2_mask)[C / 4] = malloc(sizeof(float[R / 4][C / 4]));
    float (*restrict Dx_3_img1)[R / 8][C / 4] = malloc(sizeof(float[3][R / 8][C / 4]));
    float (*restrict Dy_3_img1)[R / 8][C / 8] = malloc(sizeof(float[3][R / 8][C / 8]));
    float (*restrict Dx_3_img2)[R / 8][C / 4] = malloc(sizeof(float[3][R / 8][C / 4]));
    float (*restrict Dy_3_img2)[R / 8][C / 8] = malloc(sizeof(float[3][R / 8][C / 8]));
    float (*restrict Dx_3_mask)[C / 4] = malloc(sizeof(float[R / 8][C / 4]));
    float (*restrict Dy_3_mask)[C / 8] = malloc(sizeof(float[R / 8][C / 8]));
    float (*restrict Res_3)[R / 8][C / 8] = malloc(sizeof(float[3][R / 8][C / 8]));
    float (*restrict Ux_2_img1)[R / 4][C / 8] = malloc(sizeof(float[3][R / 4][C / 8]));
    float (*restrict Uy_2_img1)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Ux_2_img2)[R / 4][C / 8] = malloc(sizeof(float[3][R / 4][C / 8]));
    float (*restrict Uy_2_img2)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Res_2)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Ux_1_img1)[R / 2][C / 4] = malloc(sizeof(float[3][R / 2][C / 4]));
    float (*restrict Uy_1_img1)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict Ux_1_img2)[R / 2][C / 4] = malloc(sizeof(float[3][R / 2][C / 4]));
    float (*restrict Uy_1_img2)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict Res_1)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict Ux_0_img1)[R][C / 2] = malloc(sizeof(float[3][R][C / 2]));
    float (*restrict Uy_0_img1)[R][C] = malloc(sizeof(float[3][R][C]));
    float (*restrict Ux_0_img2)[R][C / 2] = malloc(sizeof(float[3][R][C / 2]));
    float (*restrict Uy_0_img2)[R][C] = malloc(sizeof(float[3][R][C]));
    float (*restrict Res_0)[R][C] = malloc(sizeof(float[3][R][C]));
    float (*restrict Col_2_x)[R / 4][C / 8] = malloc(sizeof(float[3][R / 4][C / 8]));
    float (*restrict Col_2)[R / 4][C / 4] = malloc(sizeof(float[3][R / 4][C / 4]));
    float (*restrict Col_1_x)[R / 2][C / 4] = malloc(sizeof(float[3][R / 2][C / 4]));
    float (*restrict Col_1)[R / 2][C / 2] = malloc(sizeof(float[3][R / 2][C / 2]));
    float (*restrict blend_x)[R][C / 2] = malloc(sizeof(float[3][R][C / 2]));

#pragma scop
    /* Gaussian pyramids, level 1: R / 2 x C / 2. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 1; i <= R / 2 - 2; i++)
            for (int j = 0; j <= C - 2; j++)
                Dx_1_img1[c][i][j]
                    = (img1[c][2 * i - 2][j] + 4 * img1[c][2 * i - 1][j]
                       + 6 * img1[c][2 * i][j] + 4 * img1[c][2 * i + 1][j]
                       + img1[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 1; i <= R / 2 - 2; i++)
            for (int j = 1; j <= C / 2 - 2; j++)
                Dy_1_img1[c][i][j]
                    = (Dx_1_img1[c][i][2 * j - 2] + 4 * Dx_1_img1[c][i][2 * j - 1]
                       + 6 * Dx_1_img1[c][i][2 * j] + 4 * Dx_1_img1[c][i][2 * j + 1]
                       + Dx_1_img1[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 1; i <= R / 2 - 2; i++)
            for (int j = 0; j <= C - 2; j++)
                Dx_1_img2[c][i][j]
                    = (img2[c][2 * i - 2][j] + 4 * img2[c][2 * i - 1][j]
                       + 6 * img2[c][2 * i][j] + 4 * img2[c][2 * i + 1][j]
                       + img2[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 1; i <= R / 2 - 2; i++)
            for (int j = 1; j <= C / 2 - 2; j++)
                Dy_1_img2[c][i][j]
                    = (Dx_1_img2[c][i][2 * j - 2] + 4 * Dx_1_img2[c][i][2 * j - 1]
                       + 6 * Dx_1_img2[c][i][2 * j] + 4 * Dx_1_img2[c][i][2 * j + 1]
                       + Dx_1_img2[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 1; i <= R / 2 - 2; i++)
        for (int j = 0; j <= C - 2; j++)
            Dx_1_mask[i][j]
                = (mask[2 * i - 2][j] + 4 * mask[2 * i - 1][j]
                   + 6 * mask[2 * i][j] + 4 * mask[2 * i + 1][j]
                   + mask[2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 1; i <= R / 2 - 2; i++)
        for (int j = 1; j <= C / 2 - 2; j++)
            Dy_1_mask[i][j]
                = (Dx_1_mask[i][2 * j - 2] + 4 * Dx_1_mask[i][2 * j - 1]
                   + 6 * Dx_1_mask[i][2 * j] + 4 * Dx_1_mask[i][2 * j + 1]
                   + Dx_1_mask[i][2 * j + 2]) * 0.0625f;

    /* Gaussian pyramids, level 2: R / 4 x C / 4. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 2; i <= R / 4 - 2; i++)
            for (int j = 1; j <= C / 2 - 2; j++)
                Dx_2_img1[c][i][j]
                    = (Dy_1_img1[c][2 * i - 2][j] + 4 * Dy_1_img1[c][2 * i - 1][j]
                       + 6 * Dy_1_img1[c][2 * i][j] + 4 * Dy_1_img1[c][2 * i + 1][j]
                       + Dy_1_img1[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 2; i <= R / 4 - 2; i++)
            for (int j = 2; j <= C / 4 - 2; j++)
                Dy_2_img1[c][i][j]
                    = (Dx_2_img1[c][i][2 * j - 2] + 4 * Dx_2_img1[c][i][2 * j - 1]
                       + 6 * Dx_2_img1[c][i][2 * j] + 4 * Dx_2_img1[c][i][2 * j + 1]
                       + Dx_2_img1[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 2; i <= R / 4 - 2; i++)
            for (int j = 1; j <= C / 2 - 2; j++)
                Dx_2_img2[c][i][j]
                    = (Dy_1_img2[c][2 * i - 2][j] + 4 * Dy_1_img2[c][2 * i - 1][j]
                       + 6 * Dy_1_img2[c][2 * i][j] + 4 * Dy_1_img2[c][2 * i + 1][j]
                       + Dy_1_img2[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 2; i <= R / 4 - 2; i++)
            for (int j = 2; j <= C / 4 - 2; j++)
                Dy_2_img2[c][i][j]
                    = (Dx_2_img2[c][i][2 * j - 2] + 4 * Dx_2_img2[c][i][2 * j - 1]
                       + 6 * Dx_2_img2[c][i][2 * j] + 4 * Dx_2_img2[c][i][2 * j + 1]
                       + Dx_2_img2[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 2; i <= R / 4 - 2; i++)
        for (int j = 1; j <= C / 2 - 2; j++)
            Dx_2_mask[i][j]
                = (Dy_1_mask[2 * i - 2][j] + 4 * Dy_1_mask[2 * i - 1][j]
                   + 6 * Dy_1_mask[2 * i][j] + 4 * Dy_1_mask[2 * i + 1][j]
                   + Dy_1_mask[2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 2; i <= R / 4 - 2; i++)
        for (int j = 2; j <= C / 4 - 2; j++)
            Dy_2_mask[i][j]
                = (Dx_2_mask[i][2 * j - 2] + 4 * Dx_2_mask[i][2 * j - 1]
                   + 6 * Dx_2_mask[i][2 * j] + 4 * Dx_2_mask[i][2 * j + 1]
                   + Dx_2_mask[i][2 * j + 2]) * 0.0625f;

    /* Gaussian pyramids, level 3: R / 8 x C / 8. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 3; i <= R / 8 - 2; i++)
            for (int j = 2; j <= C / 4 - 2; j++)
                Dx_3_img1[c][i][j]
                    = (Dy_2_img1[c][2 * i - 2][j] + 4 * Dy_2_img1[c][2 * i - 1][j]
                       + 6 * Dy_2_img1[c][2 * i][j] + 4 * Dy_2_img1[c][2 * i + 1][j]
                       + Dy_2_img1[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 3; i <= R / 8 - 2; i++)
            for (int j = 3; j <= C / 8 - 2; j++)
                Dy_3_img1[c][i][j]
                    = (Dx_3_img1[c][i][2 * j - 2] + 4 * Dx_3_img1[c][i][2 * j - 1]
                       + 6 * Dx_3_img1[c][i][2 * j] + 4 * Dx_3_img1[c][i][2 * j + 1]
                       + Dx_3_img1[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 3; i <= R / 8 - 2; i++)
            for (int j = 2; j <= C / 4 - 2; j++)
                Dx_3_img2[c][i][j]
                    = (Dy_2_img2[c][2 * i - 2][j] + 4 * Dy_2_img2[c][2 * i - 1][j]
                       + 6 * Dy_2_img2[c][2 * i][j] + 4 * Dy_2_img2[c][2 * i + 1][j]
                       + Dy_2_img2[c][2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 3; i <= R / 8 - 2; i++)
            for (int j = 3; j <= C / 8 - 2; j++)
                Dy_3_img2[c][i][j]
                    = (Dx_3_img2[c][i][2 * j - 2] + 4 * Dx_3_img2[c][i][2 * j - 1]
                       + 6 * Dx_3_img2[c][i][2 * j] + 4 * Dx_3_img2[c][i][2 * j + 1]
                       + Dx_3_img2[c][i][2 * j + 2]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 3; i <= R / 8 - 2; i++)
        for (int j = 2; j <= C / 4 - 2; j++)
            Dx_3_mask[i][j]
                = (Dy_2_mask[2 * i - 2][j] + 4 * Dy_2_mask[2 * i - 1][j]
                   + 6 * Dy_2_mask[2 * i][j] + 4 * Dy_2_mask[2 * i + 1][j]
                   + Dy_2_mask[2 * i + 2][j]) * 0.0625f;

    #pragma omp parallel for
    for (int i = 3; i <= R / 8 - 2; i++)
        for (int j = 3; j <= C / 8 - 2; j++)
            Dy_3_mask[i][j]
                = (Dx_3_mask[i][2 * j - 2] + 4 * Dx_3_mask[i][2 * j - 1]
                   + 6 * Dx_3_mask[i][2 * j] + 4 * Dx_3_mask[i][2 * j + 1]
                   + Dx_3_mask[i][2 * j + 2]) * 0.0625f;

    /* The coarsest level is blended as it is. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 3; i <= R / 8 - 2; i++)
            for (int j = 3; j <= C / 8 - 2; j++)
                Res_3[c][i][j] = Dy_3_img1[c][i][j] * Dy_3_mask[i][j]
                                + Dy_3_img2[c][i][j] * (1 - Dy_3_mask[i][j]);

    /* Level 2: what the level above lacks of each picture, and both of them blended. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            if (i % 2 == 0)
                for (int j = 3; j <= C / 8 - 2; j++)
                    Ux_2_img1[c][i][j]
                        = (Dy_3_img1[c][i / 2 - 1][j] + 6 * Dy_3_img1[c][i / 2][j]
                           + Dy_3_img1[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 3; j <= C / 8 - 2; j++)
                    Ux_2_img1[c][i][j]
                        = (4 * Dy_3_img1[c][(i - 1) / 2][j]
                           + 4 * Dy_3_img1[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            for (int j = 7; j <= C / 4 - 6; j += 2)
                Uy_2_img1[c][i][j]
                    = Dy_2_img1[c][i][j]
                    - (4 * Ux_2_img1[c][i][(j - 1) / 2]
                       + 4 * Ux_2_img1[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 8; j <= C / 4 - 6; j += 2)
                Uy_2_img1[c][i][j]
                    = Dy_2_img1[c][i][j]
                    - (Ux_2_img1[c][i][j / 2 - 1] + 6 * Ux_2_img1[c][i][j / 2]
                       + Ux_2_img1[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            if (i % 2 == 0)
                for (int j = 3; j <= C / 8 - 2; j++)
                    Ux_2_img2[c][i][j]
                        = (Dy_3_img2[c][i / 2 - 1][j] + 6 * Dy_3_img2[c][i / 2][j]
                           + Dy_3_img2[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 3; j <= C / 8 - 2; j++)
                    Ux_2_img2[c][i][j]
                        = (4 * Dy_3_img2[c][(i - 1) / 2][j]
                           + 4 * Dy_3_img2[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            for (int j = 7; j <= C / 4 - 6; j += 2)
                Uy_2_img2[c][i][j]
                    = Dy_2_img2[c][i][j]
                    - (4 * Ux_2_img2[c][i][(j - 1) / 2]
                       + 4 * Ux_2_img2[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 8; j <= C / 4 - 6; j += 2)
                Uy_2_img2[c][i][j]
                    = Dy_2_img2[c][i][j]
                    - (Ux_2_img2[c][i][j / 2 - 1] + 6 * Ux_2_img2[c][i][j / 2]
                       + Ux_2_img2[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++)
            for (int j = 7; j <= C / 4 - 6; j++)
                Res_2[c][i][j] = Uy_2_img1[c][i][j] * Dy_2_mask[i][j]
                                + Uy_2_img2[c][i][j] * (1 - Dy_2_mask[i][j]);

    /* Level 1: what the level above lacks of each picture, and both of them blended. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            if (i % 2 == 0)
                for (int j = 7; j <= C / 4 - 6; j++)
                    Ux_1_img1[c][i][j]
                        = (Dy_2_img1[c][i / 2 - 1][j] + 6 * Dy_2_img1[c][i / 2][j]
                           + Dy_2_img1[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 7; j <= C / 4 - 6; j++)
                    Ux_1_img1[c][i][j]
                        = (4 * Dy_2_img1[c][(i - 1) / 2][j]
                           + 4 * Dy_2_img1[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            for (int j = 15; j <= C / 2 - 14; j += 2)
                Uy_1_img1[c][i][j]
                    = Dy_1_img1[c][i][j]
                    - (4 * Ux_1_img1[c][i][(j - 1) / 2]
                       + 4 * Ux_1_img1[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 16; j <= C / 2 - 14; j += 2)
                Uy_1_img1[c][i][j]
                    = Dy_1_img1[c][i][j]
                    - (Ux_1_img1[c][i][j / 2 - 1] + 6 * Ux_1_img1[c][i][j / 2]
                       + Ux_1_img1[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            if (i % 2 == 0)
                for (int j = 7; j <= C / 4 - 6; j++)
                    Ux_1_img2[c][i][j]
                        = (Dy_2_img2[c][i / 2 - 1][j] + 6 * Dy_2_img2[c][i / 2][j]
                           + Dy_2_img2[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 7; j <= C / 4 - 6; j++)
                    Ux_1_img2[c][i][j]
                        = (4 * Dy_2_img2[c][(i - 1) / 2][j]
                           + 4 * Dy_2_img2[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            for (int j = 15; j <= C / 2 - 14; j += 2)
                Uy_1_img2[c][i][j]
                    = Dy_1_img2[c][i][j]
                    - (4 * Ux_1_img2[c][i][(j - 1) / 2]
                       + 4 * Ux_1_img2[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 16; j <= C / 2 - 14; j += 2)
                Uy_1_img2[c][i][j]
                    = Dy_1_img2[c][i][j]
                    - (Ux_1_img2[c][i][j / 2 - 1] + 6 * Ux_1_img2[c][i][j / 2]
                       + Ux_1_img2[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++)
            for (int j = 15; j <= C / 2 - 14; j++)
                Res_1[c][i][j] = Uy_1_img1[c][i][j] * Dy_1_mask[i][j]
                                + Uy_1_img2[c][i][j] * (1 - Dy_1_mask[i][j]);

    /* Level 0: what the level above lacks of each picture, and both of them blended. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            if (i % 2 == 0)
                for (int j = 15; j <= C / 2 - 14; j++)
                    Ux_0_img1[c][i][j]
                        = (Dy_1_img1[c][i / 2 - 1][j] + 6 * Dy_1_img1[c][i / 2][j]
                           + Dy_1_img1[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 15; j <= C / 2 - 14; j++)
                    Ux_0_img1[c][i][j]
                        = (4 * Dy_1_img1[c][(i - 1) / 2][j]
                           + 4 * Dy_1_img1[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            for (int j = 31; j <= C - 30; j += 2)
                Uy_0_img1[c][i][j]
                    = img1[c][i][j]
                    - (4 * Ux_0_img1[c][i][(j - 1) / 2]
                       + 4 * Ux_0_img1[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 32; j <= C - 30; j += 2)
                Uy_0_img1[c][i][j]
                    = img1[c][i][j]
                    - (Ux_0_img1[c][i][j / 2 - 1] + 6 * Ux_0_img1[c][i][j / 2]
                       + Ux_0_img1[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            if (i % 2 == 0)
                for (int j = 15; j <= C / 2 - 14; j++)
                    Ux_0_img2[c][i][j]
                        = (Dy_1_img2[c][i / 2 - 1][j] + 6 * Dy_1_img2[c][i / 2][j]
                           + Dy_1_img2[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 15; j <= C / 2 - 14; j++)
                    Ux_0_img2[c][i][j]
                        = (4 * Dy_1_img2[c][(i - 1) / 2][j]
                           + 4 * Dy_1_img2[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            for (int j = 31; j <= C - 30; j += 2)
                Uy_0_img2[c][i][j]
                    = img2[c][i][j]
                    - (4 * Ux_0_img2[c][i][(j - 1) / 2]
                       + 4 * Ux_0_img2[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 32; j <= C - 30; j += 2)
                Uy_0_img2[c][i][j]
                    = img2[c][i][j]
                    - (Ux_0_img2[c][i][j / 2 - 1] + 6 * Ux_0_img2[c][i][j / 2]
                       + Ux_0_img2[c][i][j / 2 + 1]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++)
            for (int j = 31; j <= C - 30; j++)
                Res_0[c][i][j] = Uy_0_img1[c][i][j] * mask[i][j]
                                + Uy_0_img2[c][i][j] * (1 - mask[i][j]);

    /* The blended picture at level 2: the level above, brought up, and what it lacks. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            if (i % 2 == 0)
                for (int j = 3; j <= C / 8 - 2; j++)
                    Col_2_x[c][i][j]
                        = (Res_3[c][i / 2 - 1][j] + 6 * Res_3[c][i / 2][j]
                           + Res_3[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 3; j <= C / 8 - 2; j++)
                    Col_2_x[c][i][j]
                        = (4 * Res_3[c][(i - 1) / 2][j]
                           + 4 * Res_3[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 7; i <= R / 4 - 6; i++) {
            for (int j = 7; j <= C / 4 - 6; j += 2)
                Col_2[c][i][j]
                    = Res_2[c][i][j]
                    + (4 * Col_2_x[c][i][(j - 1) / 2]
                       + 4 * Col_2_x[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 8; j <= C / 4 - 6; j += 2)
                Col_2[c][i][j]
                    = Res_2[c][i][j]
                    + (Col_2_x[c][i][j / 2 - 1] + 6 * Col_2_x[c][i][j / 2]
                       + Col_2_x[c][i][j / 2 + 1]) * 0.125f;
        }

    /* The blended picture at level 1: the level above, brought up, and what it lacks. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            if (i % 2 == 0)
                for (int j = 7; j <= C / 4 - 6; j++)
                    Col_1_x[c][i][j]
                        = (Col_2[c][i / 2 - 1][j] + 6 * Col_2[c][i / 2][j]
                           + Col_2[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 7; j <= C / 4 - 6; j++)
                    Col_1_x[c][i][j]
                        = (4 * Col_2[c][(i - 1) / 2][j]
                           + 4 * Col_2[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 15; i <= R / 2 - 14; i++) {
            for (int j = 15; j <= C / 2 - 14; j += 2)
                Col_1[c][i][j]
                    = Res_1[c][i][j]
                    + (4 * Col_1_x[c][i][(j - 1) / 2]
                       + 4 * Col_1_x[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 16; j <= C / 2 - 14; j += 2)
                Col_1[c][i][j]
                    = Res_1[c][i][j]
                    + (Col_1_x[c][i][j / 2 - 1] + 6 * Col_1_x[c][i][j / 2]
                       + Col_1_x[c][i][j / 2 + 1]) * 0.125f;
        }

    /* The blended picture at level 0: the level above, brought up, and what it lacks. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            if (i % 2 == 0)
                for (int j = 15; j <= C / 2 - 14; j++)
                    blend_x[c][i][j]
                        = (Col_1[c][i / 2 - 1][j] + 6 * Col_1[c][i / 2][j]
                           + Col_1[c][i / 2 + 1][j]) * 0.125f;
            else
                for (int j = 15; j <= C / 2 - 14; j++)
                    blend_x[c][i][j]
                        = (4 * Col_1[c][(i - 1) / 2][j]
                           + 4 * Col_1[c][(i + 1) / 2][j]) * 0.125f;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 31; i <= R - 30; i++) {
            for (int j = 31; j <= C - 30; j += 2)
                blend[c][i - 31][j - 31]
                    = Res_0[c][i][j]
                    + (4 * blend_x[c][i][(j - 1) / 2]
                       + 4 * blend_x[c][i][(j + 1) / 2]) * 0.125f;
            for (int j = 32; j <= C - 30; j += 2)
                blend[c][i - 31][j - 31]
                    = Res_0[c][i][j]
                    + (blend_x[c][i][j / 2 - 1] + 6 * blend_x[c][i][j / 2]
                       + blend_x[c][i][j / 2 + 1]) * 0.125f;
        }
#pragma endscop

    free(blend_x);
    free(Col_1);
    free(Col_1_x);
    free(Col_2);
    free(Col_2_x);
    free(Res_0);
    free(Uy_0_img2);
    free(Ux_0_img2);
    free(Uy_0_img1);
    free(Ux_0_img1);
    free(Res_1);
    free(Uy_1_img2);
    free(Ux_1_img2);
    free(Uy_1_img1);
    free(Ux_1_img1);
    free(Res_2);
    free(Uy_2_img2);
    free(Ux_2_img2);
    free(Uy_2_img1);
    free(Ux_2_img1);
    free(Res_3);
    free(Dy_3_mask);
    free(Dx_3_mask);
    free(Dy_3_img2);
    free(Dx_3_img2);
    free(Dy_3_img1);
    free(Dx_3_img1);
    free(Dy_2_mask);
    free(Dx_2_mask);
    free(Dy_2_img2);
    free(Dx_2_img2);
    free(Dy_2_img1);
    free(Dx_2_img1);
    free(Dy_1_mask);
    free(Dx_1_mask);
    free(Dy_1_img2);
    free(Dx_1_img2);
    free(Dy_1_img1);
    free(Dx_1_img1);
}
