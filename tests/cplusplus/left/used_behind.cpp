// `last` is declared in the region and used behind it
float f(const float *x, int n)
{
#pragma scop
    float last = 0;
    for (int i = 0; i < n; i++)
        last = last * 0.5f + x[i];
#pragma endscop
    return last;
}
