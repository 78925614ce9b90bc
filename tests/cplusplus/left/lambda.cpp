// a lambda in a region
void f(float *x, int n)
{
#pragma scop
    auto set = [&](int i) { x[i] = 1; };
    for (int i = 0; i < n; i++)
        set(i);
#pragma endscop
}
