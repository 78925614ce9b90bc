// `z` is of a type that C does not have
#include <complex>

void f(std::complex<float> *z, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        z[i] = z[i] * 2.0f;
#pragma endscop
}
