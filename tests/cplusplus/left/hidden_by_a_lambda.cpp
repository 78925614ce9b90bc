// a call of what is not one function
#include <algorithm>

void f(float *x, int n)
{
    auto clamp = [](float v, float low, float high) { return v + low + high; };
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = clamp(x[i], 0.0f, 1.0f);
#pragma endscop
}
