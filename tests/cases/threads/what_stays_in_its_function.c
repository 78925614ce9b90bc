// Loops that mean something else in another function are written anew, or stay.
void f(int n, int m, const float a[restrict n][m], float b[restrict n][m])
{
#define twice(x) ((x) * 2)
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0)
                b[i][j] = twice(a[i][j]);
#pragma endscop
}
// compile:
// code contains: #pragma omp parallel for
// code lacks: tw_share
