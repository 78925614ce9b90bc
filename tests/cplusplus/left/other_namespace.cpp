// a call of `b::f`, which is not one function of this file
namespace a { inline float f(float x) { return x * 2; } }
namespace b { float f(float x); }

void g(float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = b::f(x[i]);
#pragma endscop
}
