// of what type `T` is could not be found out
template <class T> static T half(T x) { return x / 2; }

double f(double *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = half(x[i]);
#pragma endscop
    return half(n);
}
