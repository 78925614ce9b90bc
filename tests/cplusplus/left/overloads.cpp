// a call of `of`, which is not one function of this file
static float of(float x) { return x; }
static double of(double x) { return x + 1; }

double f(float *x, int n)
{
    double s = of(2.0);
#pragma scop
    for (int i = 0; i < n; i++)
        s += of(x[i]);
#pragma endscop
    return s;
}
