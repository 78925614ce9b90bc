/* Rows of a matrix divided by their length. */
#include "data.h"
#include <math.h>

static float norm(const float *v, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return sqrtf(s);
}

void normalise_rows(float *m, int rows, int cols)
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        float l = norm(&m[i * cols], cols);
        if (l > 0)
            for (int j = 0; j < cols; j++)
                m[i * cols + j] /= l;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int rows = n, cols = n / 2 + 1;
        float *m = data_floats(rows * cols);
        normalise_rows(m, rows, cols);
        data_show("normalise_rows", n, m, 4 * rows * cols);
    }
}
