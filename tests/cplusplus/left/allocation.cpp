// `new` in a region
void f(float *x, int n)
{
#pragma scop
    float *y = new float[n];
    for (int i = 0; i < n; i++)
        y[i] = x[i];
    for (int i = 0; i < n; i++)
        x[i] = y[n - 1 - i];
    delete[] y;
#pragma endscop
}
