// What only a function declares is not known in front of it.
float half_of(float x)
{
    float half(float);
    return half(x);
}

void f(int n, int m, const float a[restrict n][m], float b[restrict n][m])
{
    float half(float);
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            b[i][j] = half(b[i][j - 1]) + a[i][j];
#pragma endscop
}

float half(float x)
{
    return x / 2;
}
// compile:
// code contains: #pragma omp parallel for
// code lacks: tw_share
