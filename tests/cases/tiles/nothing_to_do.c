// A loop over a sum of loops is behind a condition that each of them has iterations, and any other
// loop is not.
void area(int h, int w, unsigned sum[restrict h][w])
{
#pragma scop
    for (int j = 1; j < h; j++)
        for (int i = 1; i < w; i++)
            sum[j][i] += sum[j - 1][i] + sum[j][i - 1];
#pragma endscop
}
// compile: --tile-sizes 32
// code contains: if (h >= 2 && w >= 2)
// compile: --shape none
// code lacks: if (h >= 2
// compile: --shape parallelogram --target opencl
// code contains: if (tw_h >= 2 && tw_w >= 2)
void plain(int n, int m, float a[restrict n][m])
{
#pragma scop
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            a[j][i] *= 2;
#pragma endscop
}
// compile: --tile-sizes 32
// code lacks: if (n >=
