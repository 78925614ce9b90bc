// a region in a template
template <class T> void f(T *x, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        x[i] = 1;
#pragma endscop
}
template void f<float>(float *, int);
