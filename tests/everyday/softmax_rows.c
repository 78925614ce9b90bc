/* Softmax of every row. */
#include "data.h"
#include <math.h>

void softmax(int rows, int cols, float x[restrict rows][cols])
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        float max = x[r][0];
        for (int c = 1; c < cols; c++)
            if (x[r][c] > max)
                max = x[r][c];
        float sum = 0;
        for (int c = 0; c < cols; c++) {
            x[r][c] = expf(x[r][c] - max);
            sum += x[r][c];
        }
        for (int c = 0; c < cols; c++)
            x[r][c] /= sum;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int rows = n / 2, cols = n + 1;
        float *x = data_floats(rows * cols);
        softmax(rows, cols, (void *)x);
        data_show("softmax", n, x, 4 * rows * cols);
    }
}
