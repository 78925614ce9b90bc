/* The histograms of a HOG descriptor: for each of n places the pixels of the
 * block around it vote for the bin of their gradient's direction. The block is
 * cut off where the picture ends, so that its bounds are data. */
#include "rows.h"
#define BLOCK 9
#define BINS 8

static inline int imax(int a, int b) { return a > b ? a : b; }
static inline int imin(int a, int b) { return a < b ? a : b; }

void hog_init(int R, int C, int n, int y[restrict n], int x[restrict n],
              unsigned char direction[restrict R][C], float weight[restrict R][C],
              float hist[restrict n][BINS])
{
    for (int k = 0; k < n; k++) {
        y[k] = spread(k, R);
        x[k] = spread(k + 1000, C);
        for (int b = 0; b < BINS; b++)
            hist[k][b] = 0.0f;
    }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++) {
            direction[i][j] = (unsigned char)spread(i * C + j, BINS);
            weight[i][j] = (float)value(i * C + j);
        }
}

void hog(int R, int C, int n, int y[restrict n], int x[restrict n],
         unsigned char direction[restrict R][C], float weight[restrict R][C],
         float hist[restrict n][BINS])
{
#pragma scop
    for (int k = 0; k < n; k++) {
        int top = imax(y[k] - BLOCK / 2, 0);
        int bottom = imin(y[k] + BLOCK / 2 + 1, R);
        int left = imax(x[k] - BLOCK / 2, 0);
        int right = imin(x[k] + BLOCK / 2 + 1, C);
        for (int i = top; i < bottom; i++)
            for (int j = left; j < right; j++)
                hist[k][direction[i][j]] += weight[i][j];
    }
#pragma endscop
}
