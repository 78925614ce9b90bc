#include "numbers.h"
void saxpy(float *restrict y, const float *restrict x, float a, int n)
{
#pragma scop
    int m = n % 16;
    for (int i = 0; i < m; i++)
        y[i] += a * x[i];
    for (int i = m; i < n; i += 16) {
        y[i + 0] += a * x[i + 0];
        y[i + 1] += a * x[i + 1];
        y[i + 2] += a * x[i + 2];
        y[i + 3] += a * x[i + 3];
        y[i + 4] += a * x[i + 4];
        y[i + 5] += a * x[i + 5];
        y[i + 6] += a * x[i + 6];
        y[i + 7] += a * x[i + 7];
        y[i + 8] += a * x[i + 8];
        y[i + 9] += a * x[i + 9];
        y[i + 10] += a * x[i + 10];
        y[i + 11] += a * x[i + 11];
        y[i + 12] += a * x[i + 12];
        y[i + 13] += a * x[i + 13];
        y[i + 14] += a * x[i + 14];
        y[i + 15] += a * x[i + 15];
    }
#pragma endscop
}
int main(void)
{
    float x[100], y[100];
    fill_floats(x, 100); fill_floats(y, 100);
    saxpy(y, x, 0.5f, 100);
    show("saxpy", y, sizeof y);
}
