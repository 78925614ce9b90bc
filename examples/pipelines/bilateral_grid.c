/* Bilateral filter on a grid: smooths a picture and keeps its edges, with the
 * stages of PolyMage's benchmark of this name.
 *
 *   grid          a coarse volume over the picture: a cell every 8 rows and 8
 *                 columns, with a bin for every tenth of brightness. Plane 0
 *                 sums the pixels that fall into a bin, plane 1 counts them.
 *                 A cell takes the 9 x 9 pixels around its centre
 *   blurz, blurx, blury
 *                 the volume smoothed with weights 1 4 6 4 1: along the bins,
 *                 down the rows of cells, along the columns of cells
 *   interpolated  both planes at each pixel: between the four cells around it
 *                 and the two bins around its brightness
 *   filtered      sum over count: the mean of the pixels that are near in
 *                 place and in brightness
 *
 * The picture has R x C pixels between 0 and 1, R >= 57 and C >= 57. The result
 * begins at row 24 and column 24 and is 56 rows and 56 columns smaller. Bins 2
 * to 12 of the grid hold pixels, two more at each end are empty; the smoothed
 * volumes have only the eleven.
 */
#include <math.h>
#include <stdlib.h>

static float lerp(float a, float b, float weight)
{
    return a + weight * (b - a);
}

void bilateral_grid_init(int R, int C,
                         float filtered[restrict R - 56][C - 56],
                         float input[restrict R][C])
{
    unsigned noise = 1;

    /* Stripes with hard edges on a slope, noise, black and white pixels. */
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            float slope = (float) i / R * 0.5f;
            float stripe = (i / 3 + j) / 40 % 2 == 0 ? 0.1f : 0.4f;

            noise = noise * 1664525u + 1013904223u;
            input[i][j] = (noise >> 8) % 997 == 0   ? 0.0f
                          : (noise >> 8) % 997 == 1 ? 1.0f
                                                    : slope + stripe + (noise >> 16) * 1e-6f;
        }

    for (int i = 0; i < R - 56; i++)
        for (int j = 0; j < C - 56; j++)
            filtered[i][j] = 0;
}

void bilateral_grid(int R, int C,
                    float filtered[restrict R - 56][C - 56],
                    const float input[restrict R][C])
{
    /* Cells of the grid in each direction. */
    const int H = (R - 1) / 8 - 1;
    const int W = (C - 1) / 8 - 1;

    float (*restrict grid)[H][W][15] = malloc(sizeof(float[2][H][W][15]));
    float (*restrict blurz)[H][W][11] = malloc(sizeof(float[2][H][W][11]));
    float (*restrict blurx)[H - 4][W][11] = malloc(sizeof(float[2][H - 4][W][11]));
    float (*restrict blury)[H - 4][W - 4][11] = malloc(sizeof(float[2][H - 4][W - 4][11]));
    float (*restrict interpolated)[R - 56][C - 56] = malloc(sizeof(float[2][R - 56][C - 56]));

#pragma scop
    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
                for (int z = 0; z < 15; z++)
                    grid[c][i][j][z] = 0;

    #pragma omp parallel for
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            for (int y = 8 * i + 4; y <= 8 * i + 12; y++)
                for (int x = 8 * j + 4; x <= 8 * j + 12; x++) {
                    grid[0][i][j][2 + (int) (input[y][x] * 10 + 0.5f)] += input[y][x];
                    grid[1][i][j][2 + (int) (input[y][x] * 10 + 0.5f)] += 1;
                }

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
                for (int z = 0; z < 11; z++)
                    blurz[c][i][j][z] = grid[c][i][j][z]
                                      + 4 * grid[c][i][j][z + 1]
                                      + 6 * grid[c][i][j][z + 2]
                                      + 4 * grid[c][i][j][z + 3]
                                      + grid[c][i][j][z + 4];

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < H - 4; i++)
            for (int j = 0; j < W; j++)
                for (int z = 0; z < 11; z++)
                    blurx[c][i][j][z] = blurz[c][i][j][z]
                                      + 4 * blurz[c][i + 1][j][z]
                                      + 6 * blurz[c][i + 2][j][z]
                                      + 4 * blurz[c][i + 3][j][z]
                                      + blurz[c][i + 4][j][z];

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < H - 4; i++)
            for (int j = 0; j < W - 4; j++)
                for (int z = 0; z < 11; z++)
                    blury[c][i][j][z] = blurx[c][i][j][z]
                                      + 4 * blurx[c][i][j + 1][z]
                                      + 6 * blurx[c][i][j + 2][z]
                                      + 4 * blurx[c][i][j + 3][z]
                                      + blurx[c][i][j + 4][z];

    #pragma omp parallel for collapse(2)
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < R - 56; i++)
            for (int j = 0; j < C - 56; j++) {
                float bin = input[i + 24][j + 24] * 10;
                int low = (int) bin;
                int high = low < 10 ? low + 1 : 10;
                float y = (float) (i % 8) / 8;
                float x = (float) (j % 8) / 8;
                interpolated[c][i][j] =
                    lerp(lerp(lerp(blury[c][i / 8][j / 8][low],
                                   blury[c][i / 8 + 1][j / 8][low], y),
                              lerp(blury[c][i / 8][j / 8 + 1][low],
                                   blury[c][i / 8 + 1][j / 8 + 1][low], y),
                              x),
                         lerp(lerp(blury[c][i / 8][j / 8][high],
                                   blury[c][i / 8 + 1][j / 8][high], y),
                              lerp(blury[c][i / 8][j / 8 + 1][high],
                                   blury[c][i / 8 + 1][j / 8 + 1][high], y),
                              x),
                         bin - low);
            }

    #pragma omp parallel for
    for (int i = 0; i < R - 56; i++)
        for (int j = 0; j < C - 56; j++)
            filtered[i][j] = interpolated[1][i][j] > 0
                                 ? interpolated[0][i][j] / interpolated[1][i][j]
                                 : input[i + 24][j + 24];
#pragma endscop

    free(interpolated);
    free(blury);
    free(blurx);
    free(blurz);
    free(grid);
}
