// a call of a template with special cases
template <class T> static T half(T x) { return x / 2; }
template <> double half<double>(double x) { return x / 3; }

void f(double *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = half(x[i]);
#pragma endscop
}
