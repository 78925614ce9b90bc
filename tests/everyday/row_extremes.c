/* Least and greatest value of every row, and rows stretched between them. */
#include "data.h"

static void extremes(const short *v, int n, short *least, short *greatest)
{
    *least = 32767;
    *greatest = -32768;
    for (int i = 0; i < n; i++) {
        if (v[i] < *least)
            *least = v[i];
        if (v[i] > *greatest)
            *greatest = v[i];
    }
}

static void stretch(short *row, int n, int least, int greatest)
{
    int range = greatest - least;
    if (range <= 0)
        return;
    for (int i = 0; i < n; i++)
        row[i] = (row[i] - least) * 100 / range;
}

void stretch_rows(int rows, int cols, short *image)
{
#pragma scop
    for (int r = 0; r < rows; r++) {
        short least, greatest;
        extremes(image + r * cols, cols, &least, &greatest);
        stretch(image + r * cols, cols, least, greatest);
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int rows = n, cols = n / 3 + 2;
        short *image = data_bytes(2 * rows * cols);
        stretch_rows(rows, cols, image);
        data_show("stretch_rows", n, image, 2 * rows * cols);
    }
}
