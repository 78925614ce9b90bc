#include "numbers.h"
void reorder(float *restrict y, const float *restrict x, int c, int h, int w)
{
#pragma scop
    for (int k = 0; k < c; k++)
        for (int i = 0; i < h; i++)
            for (int j = 0; j < w; j++)
                y[((k / 8 * h + i) * w + j) * 8 + k % 8] = x[(k * h + i) * w + j];
#pragma endscop
}
int main(void)
{
    static float y[16 * 15], x[16 * 15];
    fill_floats(x, 240);
    reorder(y, x, 16, 3, 5);
    show("y", y, sizeof y);
}
