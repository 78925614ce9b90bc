// a call of `std::accumulate`
#include <numeric>

void f(float *x, const float *y, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = std::accumulate(y, y + i, 0.0f);
#pragma endscop
}
