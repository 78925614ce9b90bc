// A macro for a word that is printed.
#define collapse(x) reduction(+ : x)
void f(int n, int m, int q, const float *restrict a, float *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 1; k < q; k++)
                if (a[(i * m + j) * q + k] > 0)
                    b[(i * m + j) * q + k] = b[(i * m + j) * q + k - 1] + 1;
#pragma endscop
}
// compile:
// code contains: #pragma omp parallel for
// code lacks: tw_share
