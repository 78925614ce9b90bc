/* Harris corner detection in eleven stages.
 *
 *   Iy, Ix         Sobel derivatives along the columns and the rows, over 12
 *   Iyy, Ixy, Ixx  their products at each pixel
 *   Syy, Sxy, Sxx  the products summed over the 3 x 3 neighbourhood: together
 *                  the structure tensor  [ Sxx Sxy ; Sxy Syy ]
 *   trace, det     of that tensor
 *   harris         det - 0.04 trace^2: large and positive at a corner,
 *                  negative on an edge, near zero where the picture is flat
 *
 * The picture has R x C pixels and a border of one. The derivatives exist at
 * every pixel inside the border, the sums one pixel further in; the rest of
 * the result is left as it was.
 */
#include <stdlib.h>

void harris(int R, int C,
            float harris[restrict R + 2][C + 2],
            const float img[restrict R + 2][C + 2])
{
    float (*restrict Ix)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Iy)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Ixx)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Ixy)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Iyy)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Sxx)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Sxy)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict Syy)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict det)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));
    float (*restrict trace)[C + 2] = malloc(sizeof(float[R + 2][C + 2]));

#pragma scop
    #pragma omp parallel for
    for (int i = 1; i <= R; i++)
        for (int j = 1; j <= C; j++)
            Iy[i][j] = img[i - 1][j - 1] * -0.0833333333333f
                     + img[i - 1][j + 1] * 0.0833333333333f
                     + img[i][j - 1] * -0.166666666667f
                     + img[i][j + 1] * 0.166666666667f
                     + img[i + 1][j - 1] * -0.0833333333333f
                     + img[i + 1][j + 1] * 0.0833333333333f;

    #pragma omp parallel for
    for (int i = 1; i <= R; i++)
        for (int j = 1; j <= C; j++)
            Ix[i][j] = img[i - 1][j - 1] * -0.0833333333333f
                     + img[i + 1][j - 1] * 0.0833333333333f
                     + img[i - 1][j] * -0.166666666667f
                     + img[i + 1][j] * 0.166666666667f
                     + img[i - 1][j + 1] * -0.0833333333333f
                     + img[i + 1][j + 1] * 0.0833333333333f;

    #pragma omp parallel for
    for (int i = 1; i <= R; i++)
        for (int j = 1; j <= C; j++)
            Iyy[i][j] = Iy[i][j] * Iy[i][j];

    #pragma omp parallel for
    for (int i = 1; i <= R; i++)
        for (int j = 1; j <= C; j++)
            Ixy[i][j] = Ix[i][j] * Iy[i][j];

    #pragma omp parallel for
    for (int i = 1; i <= R; i++)
        for (int j = 1; j <= C; j++)
            Ixx[i][j] = Ix[i][j] * Ix[i][j];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            Syy[i][j] = Iyy[i - 1][j - 1] + Iyy[i - 1][j] + Iyy[i - 1][j + 1]
                      + Iyy[i][j - 1] + Iyy[i][j] + Iyy[i][j + 1]
                      + Iyy[i + 1][j - 1] + Iyy[i + 1][j] + Iyy[i + 1][j + 1];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            Sxy[i][j] = Ixy[i - 1][j - 1] + Ixy[i - 1][j] + Ixy[i - 1][j + 1]
                      + Ixy[i][j - 1] + Ixy[i][j] + Ixy[i][j + 1]
                      + Ixy[i + 1][j - 1] + Ixy[i + 1][j] + Ixy[i + 1][j + 1];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            Sxx[i][j] = Ixx[i - 1][j - 1] + Ixx[i - 1][j] + Ixx[i - 1][j + 1]
                      + Ixx[i][j - 1] + Ixx[i][j] + Ixx[i][j + 1]
                      + Ixx[i + 1][j - 1] + Ixx[i + 1][j] + Ixx[i + 1][j + 1];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            trace[i][j] = Sxx[i][j] + Syy[i][j];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            det[i][j] = Sxx[i][j] * Syy[i][j] - Sxy[i][j] * Sxy[i][j];

    #pragma omp parallel for
    for (int i = 2; i < R; i++)
        for (int j = 2; j < C; j++)
            harris[i][j] = det[i][j] - 0.04f * trace[i][j] * trace[i][j];
#pragma endscop

    free(trace);
    free(det);
    free(Syy);
    free(Sxy);
    free(Sxx);
    free(Iyy);
    free(Ixy);
    free(Ixx);
    free(Iy);
    free(Ix);
}
