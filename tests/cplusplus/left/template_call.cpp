// a call of a function with `template`
template <class T> T twice(T x) { return x + x; }

void f(float *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = twice(x[i]);
#pragma endscop
}
