/* Rows mirrored and a matrix transposed in place, by swapping. */
#include "data.h"

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

void mirror(int rows, int cols, int *image)
{
#pragma scop
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols / 2; j++)
            swap(&image[i * cols + j], &image[i * cols + cols - 1 - j]);
#pragma endscop
}

void transpose(int n, int m[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            swap(&m[i][j], &m[j][i]);
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *image = data_ints(n * (n + 1), 1000);
        mirror(n, n + 1, image);
        data_show("mirror", n, image, 4 * n * (n + 1));
        transpose(n, (void *)image);
        data_show("transpose", n, image, 4 * n * (n + 1));
    }
}
