/* Unsharp mask: sharpens a picture where it differs enough from its own blur.
 *
 *   blurx    5-tap binomial blur down the columns
 *   blury    the same blur along the rows of blurx
 *   sharpen  img + weight * (img - blury)
 *   mask     the pixel itself where |img - blury| < threshold (flat regions,
 *            where sharpening would only raise noise), the sharpened one elsewhere
 *
 * The picture has three channel planes of R x C pixels with a border of two
 * pixels on every side; the result has no border.
 */
#include <math.h>
#include <stdlib.h>

void unsharp_mask(int R, int C, float threshold, float weight,
                  float mask[restrict 3][R][C],
                  const float img[restrict 3][R + 4][C + 4])
{
    float (*restrict blurx)[R][C + 4] = malloc(sizeof(float[3][R][C + 4]));
    float (*restrict blury)[R][C] = malloc(sizeof(float[3][R][C]));
    float (*restrict sharpen)[R][C] = malloc(sizeof(float[3][R][C]));

#pragma scop
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C + 4; j++)
                blurx[c][i][j] = img[c][i][j] * 0.0625f
                               + img[c][i + 1][j] * 0.25f
                               + img[c][i + 2][j] * 0.375f
                               + img[c][i + 3][j] * 0.25f
                               + img[c][i + 4][j] * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                blury[c][i][j] = blurx[c][i][j] * 0.0625f
                               + blurx[c][i][j + 1] * 0.25f
                               + blurx[c][i][j + 2] * 0.375f
                               + blurx[c][i][j + 3] * 0.25f
                               + blurx[c][i][j + 4] * 0.0625f;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                sharpen[c][i][j] = img[c][i + 2][j + 2] * (1 + weight)
                                 + blury[c][i][j] * -weight;

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                mask[c][i][j] = fabsf(img[c][i + 2][j + 2] - blury[c][i][j]) < threshold
                                    ? img[c][i + 2][j + 2]
                                    : sharpen[c][i][j];
#pragma endscop

    free(sharpen);
    free(blury);
    free(blurx);
}
