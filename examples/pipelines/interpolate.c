/* Multiscale interpolation: fills the gaps of a picture from coarser versions of it.
 *
 * The picture has four channel planes of R x C pixels with a rim of one pixel: three colours,
 * and in channel 3 the weight of each pixel, 1 where its colours are known, 0 where they are
 * not, anything between where they are half known. In 38 stages:
 *
 *   downsampled_L0         every channel times the weight
 *   Dx_l_downsampled       level l - 1 at half as many rows, smoothed with 1 2 1
 *   D_l_downsampled        the same at half as many columns: level l, for l = 1 .. 9
 *   Ux_interpolated_Ll     level l + 1 at twice as many rows, linearly
 *   interpolated_Ll        the same at twice as many columns, and then
 *                          D_l_downsampled + (1 - its weight) * that: where a pixel is known it
 *                          stays, where it is not it comes from the coarser level; l = 8 .. 0
 *   interpolate            colours of interpolated_L0 over its weight
 *
 * Level l has R / 2^l x C / 2^l pixels, rounded down, and a rim of zeros all around: its pixel
 * (i, j), counted from one, sits on pixel (2i - 1, 2j - 1) of the level below. A level of a
 * small picture may have no pixels, only its rim.
 */
#include <stdlib.h>

/* One pixel in eight is known. */
void interpolate_init(int R, int C,
                      float interpolate[restrict 3][R][C],
                      float img[restrict 4][R + 2][C + 2])
{
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                interpolate[c][i][j] = 0;

    for (int i = 0; i < R + 2; i++)
        for (int j = 0; j < C + 2; j++) {
            unsigned noise = (unsigned)i * 2654435761u + (unsigned)j * 2246822519u;
            noise ^= noise >> 15;
            noise *= 3266489917u;
            noise ^= noise >> 13;
            img[0][i][j] = (float)i / (R + 1);
            img[1][i][j] = (float)j / (C + 1);
            img[2][i][j] = (noise >> 8) % 256 / 255.0f;
            img[3][i][j] = noise % 8 == 0 ? 1.0f : 1.0f / 64;
        }
}

void interpolate(int R, int C,
                 float interpolate[restrict 3][R][C],
                 const float img[restrict 4][R + 2][C + 2])
{
    float (*restrict downsampled_L0)[R + 2][C + 2]
        = malloc(sizeof(float[4][R + 2][C + 2]));
    float (*restrict Dx_1_downsampled)[R / 2 + 2][C + 2]
        = malloc(sizeof(float[4][R / 2 + 2][C + 2]));
    float (*restrict D_1_downsampled)[R / 2 + 2][C / 2 + 2]
        = malloc(sizeof(float[4][R / 2 + 2][C / 2 + 2]));
    float (*restrict Dx_2_downsampled)[R / 4 + 2][C / 2 + 2]
        = malloc(sizeof(float[4][R / 4 + 2][C / 2 + 2]));
    float (*restrict D_2_downsampled)[R / 4 + 2][C / 4 + 2]
        = malloc(sizeof(float[4][R / 4 + 2][C / 4 + 2]));
    float (*restrict Dx_3_downsampled)[R / 8 + 2][C / 4 + 2]
        = malloc(sizeof(float[4][R / 8 + 2][C / 4 + 2]));
    float (*restrict D_3_downsampled)[R / 8 + 2][C / 8 + 2]
        = malloc(sizeof(float[4][R / 8 + 2][C / 8 + 2]));
    float (*restrict Dx_4_downsampled)[R / 16 + 2][C / 8 + 2]
        = malloc(sizeof(float[4][R / 16 + 2][C / 8 + 2]));
    float (*restrict D_4_downsampled)[R / 16 + 2][C / 16 + 2]
        = malloc(sizeof(float[4][R / 16 + 2][C / 16 + 2]));
    float (*restrict Dx_5_downsampled)[R / 32 + 2][C / 16 + 2]
        = malloc(sizeof(float[4][R / 32 + 2][C / 16 + 2]));
    float (*restrict D_5_downsampled)[R / 32 + 2][C / 32 + 2]
        = malloc(sizeof(float[4][R / 32 + 2][C / 32 + 2]));
    float (*restrict Dx_6_downsampled)[R / 64 + 2][C / 32 + 2]
        = malloc(sizeof(float[4][R / 64 + 2][C / 32 + 2]));
    float (*restrict D_6_downsampled)[R / 64 + 2][C / 64 + 2]
        = malloc(sizeof(float[4][R / 64 + 2][C / 64 + 2]));
    float (*restrict Dx_7_downsampled)[R / 128 + 2][C / 64 + 2]
        = malloc(sizeof(float[4][R / 128 + 2][C / 64 + 2]));
    float (*restrict D_7_downsampled)[R / 128 + 2][C / 128 + 2]
        = malloc(sizeof(float[4][R / 128 + 2][C / 128 + 2]));
    float (*restrict Dx_8_downsampled)[R / 256 + 2][C / 128 + 2]
        = malloc(sizeof(float[4][R / 256 + 2][C / 128 + 2]));
    float (*restrict D_8_downsampled)[R / 256 + 2][C / 256 + 2]
        = malloc(sizeof(float[4][R / 256 + 2][C / 256 + 2]));
    float (*restrict Dx_9_downsampled)[R / 512 + 2][C / 256 + 2]
        = malloc(sizeof(float[4][R / 512 + 2][C / 256 + 2]));
    float (*restrict D_9_downsampled)[R / 512 + 2][C / 512 + 2]
        = malloc(sizeof(float[4][R / 512 + 2][C / 512 + 2]));
    float (*restrict Ux_interpolated_L8)[R / 256 + 2][C / 512 + 2]
        = malloc(sizeof(float[4][R / 256 + 2][C / 512 + 2]));
    float (*restrict interpolated_L8)[R / 256 + 2][C / 256 + 2]
        = malloc(sizeof(float[4][R / 256 + 2][C / 256 + 2]));
    float (*restrict Ux_interpolated_L7)[R / 128 + 2][C / 256 + 2]
        = malloc(sizeof(float[4][R / 128 + 2][C / 256 + 2]));
    float (*restrict interpolated_L7)[R / 128 + 2][C / 128 + 2]
        = malloc(sizeof(float[4][R / 128 + 2][C / 128 + 2]));
    float (*restrict Ux_interpolated_L6)[R / 64 + 2][C / 128 + 2]
        = malloc(sizeof(float[4][R / 64 + 2][C / 128 + 2]));
    float (*restrict interpolated_L6)[R / 64 + 2][C / 64 + 2]
        = malloc(sizeof(float[4][R / 64 + 2][C / 64 + 2]));
    float (*restrict Ux_interpolated_L5)[R / 32 + 2][C / 64 + 2]
        = malloc(sizeof(float[4][R / 32 + 2][C / 64 + 2]));
    float (*restrict interpolated_L5)[R / 32 + 2][C / 32 + 2]
        = malloc(sizeof(float[4][R / 32 + 2][C / 32 + 2]));
    float (*restrict Ux_interpolated_L4)[R / 16 + 2][C / 32 + 2]
        = malloc(sizeof(float[4][R / 16 + 2][C / 32 + 2]));
    float (*restrict interpolated_L4)[R / 16 + 2][C / 16 + 2]
        = malloc(sizeof(float[4][R / 16 + 2][C / 16 + 2]));
    float (*restrict Ux_interpolated_L3)[R / 8 + 2][C / 16 + 2]
        = malloc(sizeof(float[4][R / 8 + 2][C / 16 + 2]));
    float (*restrict interpolated_L3)[R / 8 + 2][C / 8 + 2]
        = malloc(sizeof(float[4][R / 8 + 2][C / 8 + 2]));
    float (*restrict Ux_interpolated_L2)[R / 4 + 2][C / 8 + 2]
        = malloc(sizeof(float[4][R / 4 + 2][C / 8 + 2]));
    float (*restrict interpolated_L2)[R / 4 + 2][C / 4 + 2]
        = malloc(sizeof(float[4][R / 4 + 2][C / 4 + 2]));
    float (*restrict Ux_interpolated_L1)[R / 2 + 2][C / 4 + 2]
        = malloc(sizeof(float[4][R / 2 + 2][C / 4 + 2]));
    float (*restrict interpolated_L1)[R / 2 + 2][C / 2 + 2]
        = malloc(sizeof(float[4][R / 2 + 2][C / 2 + 2]));
    float (*restrict Ux_interpolated_L0)[R + 2][C / 2 + 2]
        = malloc(sizeof(float[4][R + 2][C / 2 + 2]));
    float (*restrict interpolated_L0)[R + 2][C + 2]
        = malloc(sizeof(float[4][R + 2][C + 2]));

#pragma scop
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < R + 2; i++)
            for (int j = 0; j < C + 2; j++)
                downsampled_L0[c][i][j] = img[c][i][j] * img[3][i][j];

    /* Down to level 1: R / 2 x C / 2, rows first. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 2; i++) {
            Dx_1_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C; j++)
                Dx_1_downsampled[c][i][j]
                    = (downsampled_L0[c][2 * i - 2][j]
                       + 2 * downsampled_L0[c][2 * i - 1][j]
                       + downsampled_L0[c][2 * i][j]) * 0.25f;
            Dx_1_downsampled[c][i][C + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C + 1; j++) {
            Dx_1_downsampled[c][0][j] = 0;
            Dx_1_downsampled[c][R / 2 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 2; i++) {
            D_1_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 2; j++)
                D_1_downsampled[c][i][j]
                    = (Dx_1_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_1_downsampled[c][i][2 * j - 1]
                       + Dx_1_downsampled[c][i][2 * j]) * 0.25f;
            D_1_downsampled[c][i][C / 2 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 2 + 1; j++) {
            D_1_downsampled[c][0][j] = 0;
            D_1_downsampled[c][R / 2 + 1][j] = 0;
        }

    /* Down to level 2: R / 4 x C / 4. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 4; i++) {
            Dx_2_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 2; j++)
                Dx_2_downsampled[c][i][j]
                    = (D_1_downsampled[c][2 * i - 2][j]
                       + 2 * D_1_downsampled[c][2 * i - 1][j]
                       + D_1_downsampled[c][2 * i][j]) * 0.25f;
            Dx_2_downsampled[c][i][C / 2 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 2 + 1; j++) {
            Dx_2_downsampled[c][0][j] = 0;
            Dx_2_downsampled[c][R / 4 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 4; i++) {
            D_2_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 4; j++)
                D_2_downsampled[c][i][j]
                    = (Dx_2_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_2_downsampled[c][i][2 * j - 1]
                       + Dx_2_downsampled[c][i][2 * j]) * 0.25f;
            D_2_downsampled[c][i][C / 4 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 4 + 1; j++) {
            D_2_downsampled[c][0][j] = 0;
            D_2_downsampled[c][R / 4 + 1][j] = 0;
        }

    /* Down to level 3: R / 8 x C / 8. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 8; i++) {
            Dx_3_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 4; j++)
                Dx_3_downsampled[c][i][j]
                    = (D_2_downsampled[c][2 * i - 2][j]
                       + 2 * D_2_downsampled[c][2 * i - 1][j]
                       + D_2_downsampled[c][2 * i][j]) * 0.25f;
            Dx_3_downsampled[c][i][C / 4 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 4 + 1; j++) {
            Dx_3_downsampled[c][0][j] = 0;
            Dx_3_downsampled[c][R / 8 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 8; i++) {
            D_3_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 8; j++)
                D_3_downsampled[c][i][j]
                    = (Dx_3_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_3_downsampled[c][i][2 * j - 1]
                       + Dx_3_downsampled[c][i][2 * j]) * 0.25f;
            D_3_downsampled[c][i][C / 8 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 8 + 1; j++) {
            D_3_downsampled[c][0][j] = 0;
            D_3_downsampled[c][R / 8 + 1][j] = 0;
        }

    /* Down to level 4: R / 16 x C / 16. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 16; i++) {
            Dx_4_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 8; j++)
                Dx_4_downsampled[c][i][j]
                    = (D_3_downsampled[c][2 * i - 2][j]
                       + 2 * D_3_downsampled[c][2 * i - 1][j]
                       + D_3_downsampled[c][2 * i][j]) * 0.25f;
            Dx_4_downsampled[c][i][C / 8 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 8 + 1; j++) {
            Dx_4_downsampled[c][0][j] = 0;
            Dx_4_downsampled[c][R / 16 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 16; i++) {
            D_4_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 16; j++)
                D_4_downsampled[c][i][j]
                    = (Dx_4_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_4_downsampled[c][i][2 * j - 1]
                       + Dx_4_downsampled[c][i][2 * j]) * 0.25f;
            D_4_downsampled[c][i][C / 16 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 16 + 1; j++) {
            D_4_downsampled[c][0][j] = 0;
            D_4_downsampled[c][R / 16 + 1][j] = 0;
        }

    /* Down to level 5: R / 32 x C / 32. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 32; i++) {
            Dx_5_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 16; j++)
                Dx_5_downsampled[c][i][j]
                    = (D_4_downsampled[c][2 * i - 2][j]
                       + 2 * D_4_downsampled[c][2 * i - 1][j]
                       + D_4_downsampled[c][2 * i][j]) * 0.25f;
            Dx_5_downsampled[c][i][C / 16 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 16 + 1; j++) {
            Dx_5_downsampled[c][0][j] = 0;
            Dx_5_downsampled[c][R / 32 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 32; i++) {
            D_5_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 32; j++)
                D_5_downsampled[c][i][j]
                    = (Dx_5_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_5_downsampled[c][i][2 * j - 1]
                       + Dx_5_downsampled[c][i][2 * j]) * 0.25f;
            D_5_downsampled[c][i][C / 32 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 32 + 1; j++) {
            D_5_downsampled[c][0][j] = 0;
            D_5_downsampled[c][R / 32 + 1][j] = 0;
        }

    /* Down to level 6: R / 64 x C / 64. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 64; i++) {
            Dx_6_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 32; j++)
                Dx_6_downsampled[c][i][j]
                    = (D_5_downsampled[c][2 * i - 2][j]
                       + 2 * D_5_downsampled[c][2 * i - 1][j]
                       + D_5_downsampled[c][2 * i][j]) * 0.25f;
            Dx_6_downsampled[c][i][C / 32 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 32 + 1; j++) {
            Dx_6_downsampled[c][0][j] = 0;
            Dx_6_downsampled[c][R / 64 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 64; i++) {
            D_6_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 64; j++)
                D_6_downsampled[c][i][j]
                    = (Dx_6_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_6_downsampled[c][i][2 * j - 1]
                       + Dx_6_downsampled[c][i][2 * j]) * 0.25f;
            D_6_downsampled[c][i][C / 64 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 64 + 1; j++) {
            D_6_downsampled[c][0][j] = 0;
            D_6_downsampled[c][R / 64 + 1][j] = 0;
        }

    /* Down to level 7: R / 128 x C / 128. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 128; i++) {
            Dx_7_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 64; j++)
                Dx_7_downsampled[c][i][j]
                    = (D_6_downsampled[c][2 * i - 2][j]
                       + 2 * D_6_downsampled[c][2 * i - 1][j]
                       + D_6_downsampled[c][2 * i][j]) * 0.25f;
            Dx_7_downsampled[c][i][C / 64 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 64 + 1; j++) {
            Dx_7_downsampled[c][0][j] = 0;
            Dx_7_downsampled[c][R / 128 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 128; i++) {
            D_7_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 128; j++)
                D_7_downsampled[c][i][j]
                    = (Dx_7_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_7_downsampled[c][i][2 * j - 1]
                       + Dx_7_downsampled[c][i][2 * j]) * 0.25f;
            D_7_downsampled[c][i][C / 128 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 128 + 1; j++) {
            D_7_downsampled[c][0][j] = 0;
            D_7_downsampled[c][R / 128 + 1][j] = 0;
        }

    /* Down to level 8: R / 256 x C / 256. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 256; i++) {
            Dx_8_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 128; j++)
                Dx_8_downsampled[c][i][j]
                    = (D_7_downsampled[c][2 * i - 2][j]
                       + 2 * D_7_downsampled[c][2 * i - 1][j]
                       + D_7_downsampled[c][2 * i][j]) * 0.25f;
            Dx_8_downsampled[c][i][C / 128 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 128 + 1; j++) {
            Dx_8_downsampled[c][0][j] = 0;
            Dx_8_downsampled[c][R / 256 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 256; i++) {
            D_8_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 256; j++)
                D_8_downsampled[c][i][j]
                    = (Dx_8_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_8_downsampled[c][i][2 * j - 1]
                       + Dx_8_downsampled[c][i][2 * j]) * 0.25f;
            D_8_downsampled[c][i][C / 256 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 256 + 1; j++) {
            D_8_downsampled[c][0][j] = 0;
            D_8_downsampled[c][R / 256 + 1][j] = 0;
        }

    /* Down to level 9: R / 512 x C / 512. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 512; i++) {
            Dx_9_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 256; j++)
                Dx_9_downsampled[c][i][j]
                    = (D_8_downsampled[c][2 * i - 2][j]
                       + 2 * D_8_downsampled[c][2 * i - 1][j]
                       + D_8_downsampled[c][2 * i][j]) * 0.25f;
            Dx_9_downsampled[c][i][C / 256 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 256 + 1; j++) {
            Dx_9_downsampled[c][0][j] = 0;
            Dx_9_downsampled[c][R / 512 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 512; i++) {
            D_9_downsampled[c][i][0] = 0;
            for (int j = 1; j <= C / 512; j++)
                D_9_downsampled[c][i][j]
                    = (Dx_9_downsampled[c][i][2 * j - 2]
                       + 2 * Dx_9_downsampled[c][i][2 * j - 1]
                       + Dx_9_downsampled[c][i][2 * j]) * 0.25f;
            D_9_downsampled[c][i][C / 512 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 512 + 1; j++) {
            D_9_downsampled[c][0][j] = 0;
            D_9_downsampled[c][R / 512 + 1][j] = 0;
        }

    /* Up to level 8: what is missing there comes from level 9. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 256; i++) {
            Ux_interpolated_L8[c][i][0] = 0;
            for (int j = 1; j <= C / 512; j++)
                Ux_interpolated_L8[c][i][j]
                    = (D_9_downsampled[c][(i + 1) / 2][j]
                       + D_9_downsampled[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L8[c][i][C / 512 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 512 + 1; j++) {
            Ux_interpolated_L8[c][0][j] = 0;
            Ux_interpolated_L8[c][R / 256 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 256; i++) {
            interpolated_L8[c][i][0] = 0;
            for (int j = 1; j <= C / 256; j++)
                interpolated_L8[c][i][j]
                    = D_8_downsampled[c][i][j]
                    + (1 - D_8_downsampled[3][i][j])
                      * ((Ux_interpolated_L8[c][i][(j + 1) / 2]
                          + Ux_interpolated_L8[c][i][(j + 2) / 2]) / 2);
            interpolated_L8[c][i][C / 256 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 256 + 1; j++) {
            interpolated_L8[c][0][j] = 0;
            interpolated_L8[c][R / 256 + 1][j] = 0;
        }

    /* Up to level 7. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 128; i++) {
            Ux_interpolated_L7[c][i][0] = 0;
            for (int j = 1; j <= C / 256; j++)
                Ux_interpolated_L7[c][i][j]
                    = (interpolated_L8[c][(i + 1) / 2][j]
                       + interpolated_L8[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L7[c][i][C / 256 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 256 + 1; j++) {
            Ux_interpolated_L7[c][0][j] = 0;
            Ux_interpolated_L7[c][R / 128 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 128; i++) {
            interpolated_L7[c][i][0] = 0;
            for (int j = 1; j <= C / 128; j++)
                interpolated_L7[c][i][j]
                    = D_7_downsampled[c][i][j]
                    + (1 - D_7_downsampled[3][i][j])
                      * ((Ux_interpolated_L7[c][i][(j + 1) / 2]
                          + Ux_interpolated_L7[c][i][(j + 2) / 2]) / 2);
            interpolated_L7[c][i][C / 128 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 128 + 1; j++) {
            interpolated_L7[c][0][j] = 0;
            interpolated_L7[c][R / 128 + 1][j] = 0;
        }

    /* Up to level 6. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 64; i++) {
            Ux_interpolated_L6[c][i][0] = 0;
            for (int j = 1; j <= C / 128; j++)
                Ux_interpolated_L6[c][i][j]
                    = (interpolated_L7[c][(i + 1) / 2][j]
                       + interpolated_L7[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L6[c][i][C / 128 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 128 + 1; j++) {
            Ux_interpolated_L6[c][0][j] = 0;
            Ux_interpolated_L6[c][R / 64 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 64; i++) {
            interpolated_L6[c][i][0] = 0;
            for (int j = 1; j <= C / 64; j++)
                interpolated_L6[c][i][j]
                    = D_6_downsampled[c][i][j]
                    + (1 - D_6_downsampled[3][i][j])
                      * ((Ux_interpolated_L6[c][i][(j + 1) / 2]
                          + Ux_interpolated_L6[c][i][(j + 2) / 2]) / 2);
            interpolated_L6[c][i][C / 64 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 64 + 1; j++) {
            interpolated_L6[c][0][j] = 0;
            interpolated_L6[c][R / 64 + 1][j] = 0;
        }

    /* Up to level 5. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 32; i++) {
            Ux_interpolated_L5[c][i][0] = 0;
            for (int j = 1; j <= C / 64; j++)
                Ux_interpolated_L5[c][i][j]
                    = (interpolated_L6[c][(i + 1) / 2][j]
                       + interpolated_L6[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L5[c][i][C / 64 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 64 + 1; j++) {
            Ux_interpolated_L5[c][0][j] = 0;
            Ux_interpolated_L5[c][R / 32 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 32; i++) {
            interpolated_L5[c][i][0] = 0;
            for (int j = 1; j <= C / 32; j++)
                interpolated_L5[c][i][j]
                    = D_5_downsampled[c][i][j]
                    + (1 - D_5_downsampled[3][i][j])
                      * ((Ux_interpolated_L5[c][i][(j + 1) / 2]
                          + Ux_interpolated_L5[c][i][(j + 2) / 2]) / 2);
            interpolated_L5[c][i][C / 32 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 32 + 1; j++) {
            interpolated_L5[c][0][j] = 0;
            interpolated_L5[c][R / 32 + 1][j] = 0;
        }

    /* Up to level 4. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 16; i++) {
            Ux_interpolated_L4[c][i][0] = 0;
            for (int j = 1; j <= C / 32; j++)
                Ux_interpolated_L4[c][i][j]
                    = (interpolated_L5[c][(i + 1) / 2][j]
                       + interpolated_L5[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L4[c][i][C / 32 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 32 + 1; j++) {
            Ux_interpolated_L4[c][0][j] = 0;
            Ux_interpolated_L4[c][R / 16 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 16; i++) {
            interpolated_L4[c][i][0] = 0;
            for (int j = 1; j <= C / 16; j++)
                interpolated_L4[c][i][j]
                    = D_4_downsampled[c][i][j]
                    + (1 - D_4_downsampled[3][i][j])
                      * ((Ux_interpolated_L4[c][i][(j + 1) / 2]
                          + Ux_interpolated_L4[c][i][(j + 2) / 2]) / 2);
            interpolated_L4[c][i][C / 16 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 16 + 1; j++) {
            interpolated_L4[c][0][j] = 0;
            interpolated_L4[c][R / 16 + 1][j] = 0;
        }

    /* Up to level 3. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 8; i++) {
            Ux_interpolated_L3[c][i][0] = 0;
            for (int j = 1; j <= C / 16; j++)
                Ux_interpolated_L3[c][i][j]
                    = (interpolated_L4[c][(i + 1) / 2][j]
                       + interpolated_L4[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L3[c][i][C / 16 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 16 + 1; j++) {
            Ux_interpolated_L3[c][0][j] = 0;
            Ux_interpolated_L3[c][R / 8 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 8; i++) {
            interpolated_L3[c][i][0] = 0;
            for (int j = 1; j <= C / 8; j++)
                interpolated_L3[c][i][j]
                    = D_3_downsampled[c][i][j]
                    + (1 - D_3_downsampled[3][i][j])
                      * ((Ux_interpolated_L3[c][i][(j + 1) / 2]
                          + Ux_interpolated_L3[c][i][(j + 2) / 2]) / 2);
            interpolated_L3[c][i][C / 8 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 8 + 1; j++) {
            interpolated_L3[c][0][j] = 0;
            interpolated_L3[c][R / 8 + 1][j] = 0;
        }

    /* Up to level 2. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 4; i++) {
            Ux_interpolated_L2[c][i][0] = 0;
            for (int j = 1; j <= C / 8; j++)
                Ux_interpolated_L2[c][i][j]
                    = (interpolated_L3[c][(i + 1) / 2][j]
                       + interpolated_L3[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L2[c][i][C / 8 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 8 + 1; j++) {
            Ux_interpolated_L2[c][0][j] = 0;
            Ux_interpolated_L2[c][R / 4 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 4; i++) {
            interpolated_L2[c][i][0] = 0;
            for (int j = 1; j <= C / 4; j++)
                interpolated_L2[c][i][j]
                    = D_2_downsampled[c][i][j]
                    + (1 - D_2_downsampled[3][i][j])
                      * ((Ux_interpolated_L2[c][i][(j + 1) / 2]
                          + Ux_interpolated_L2[c][i][(j + 2) / 2]) / 2);
            interpolated_L2[c][i][C / 4 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 4 + 1; j++) {
            interpolated_L2[c][0][j] = 0;
            interpolated_L2[c][R / 4 + 1][j] = 0;
        }

    /* Up to level 1. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 2; i++) {
            Ux_interpolated_L1[c][i][0] = 0;
            for (int j = 1; j <= C / 4; j++)
                Ux_interpolated_L1[c][i][j]
                    = (interpolated_L2[c][(i + 1) / 2][j]
                       + interpolated_L2[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L1[c][i][C / 4 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 4 + 1; j++) {
            Ux_interpolated_L1[c][0][j] = 0;
            Ux_interpolated_L1[c][R / 2 + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R / 2; i++) {
            interpolated_L1[c][i][0] = 0;
            for (int j = 1; j <= C / 2; j++)
                interpolated_L1[c][i][j]
                    = D_1_downsampled[c][i][j]
                    + (1 - D_1_downsampled[3][i][j])
                      * ((Ux_interpolated_L1[c][i][(j + 1) / 2]
                          + Ux_interpolated_L1[c][i][(j + 2) / 2]) / 2);
            interpolated_L1[c][i][C / 2 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 2 + 1; j++) {
            interpolated_L1[c][0][j] = 0;
            interpolated_L1[c][R / 2 + 1][j] = 0;
        }

    /* Up to level 0. */
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R; i++) {
            Ux_interpolated_L0[c][i][0] = 0;
            for (int j = 1; j <= C / 2; j++)
                Ux_interpolated_L0[c][i][j]
                    = (interpolated_L1[c][(i + 1) / 2][j]
                       + interpolated_L1[c][(i + 2) / 2][j]) / 2;
            Ux_interpolated_L0[c][i][C / 2 + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C / 2 + 1; j++) {
            Ux_interpolated_L0[c][0][j] = 0;
            Ux_interpolated_L0[c][R + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 4; c++)
        for (int i = 1; i <= R; i++) {
            interpolated_L0[c][i][0] = 0;
            for (int j = 1; j <= C; j++)
                interpolated_L0[c][i][j]
                    = downsampled_L0[c][i][j]
                    + (1 - downsampled_L0[3][i][j])
                      * ((Ux_interpolated_L0[c][i][(j + 1) / 2]
                          + Ux_interpolated_L0[c][i][(j + 2) / 2]) / 2);
            interpolated_L0[c][i][C + 1] = 0;
        }
    for (int c = 0; c < 4; c++)
        for (int j = 0; j <= C + 1; j++) {
            interpolated_L0[c][0][j] = 0;
            interpolated_L0[c][R + 1][j] = 0;
        }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                interpolate[c][i][j] = interpolated_L0[c][i + 1][j + 1]
                                     / interpolated_L0[3][i + 1][j + 1];
#pragma endscop

    free(interpolated_L0);
    free(Ux_interpolated_L0);
    free(interpolated_L1);
    free(Ux_interpolated_L1);
    free(interpolated_L2);
    free(Ux_interpolated_L2);
    free(interpolated_L3);
    free(Ux_interpolated_L3);
    free(interpolated_L4);
    free(Ux_interpolated_L4);
    free(interpolated_L5);
    free(Ux_interpolated_L5);
    free(interpolated_L6);
    free(Ux_interpolated_L6);
    free(interpolated_L7);
    free(Ux_interpolated_L7);
    free(interpolated_L8);
    free(Ux_interpolated_L8);
    free(D_9_downsampled);
    free(Dx_9_downsampled);
    free(D_8_downsampled);
    free(Dx_8_downsampled);
    free(D_7_downsampled);
    free(Dx_7_downsampled);
    free(D_6_downsampled);
    free(Dx_6_downsampled);
    free(D_5_downsampled);
    free(Dx_5_downsampled);
    free(D_4_downsampled);
    free(Dx_4_downsampled);
    free(D_3_downsampled);
    free(Dx_3_downsampled);
    free(D_2_downsampled);
    free(Dx_2_downsampled);
    free(D_1_downsampled);
    free(Dx_1_downsampled);
    free(downsampled_L0);
}
