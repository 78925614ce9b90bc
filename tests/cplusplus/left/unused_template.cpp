// a region in a template that is not used with one `T`
template <class T> void f(T *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] *= 2;
#pragma endscop
}
