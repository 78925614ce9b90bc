// exceptions in a region
void f(float *x, int n)
{
#pragma scop
    try {
        for (int i = 0; i < n; i++)
            x[i] = 1;
    } catch (...) {
    }
#pragma endscop
}
