// What the model makes vector loops of is printed from it: a compiler may see less in the file's text.
void f(int n, int m, const float *a, float *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * m + j] = a[i * m + j] * 2;
#pragma endscop
}
// compile:
// code contains: #pragma omp simd
// code lacks: tw_share_f

// Not of blocks: compilers write them out.
void g(int n, const short in[restrict n][8], short out[restrict n][8])
{
#pragma scop
    for (int p = 0; p < n; p++)
        for (int j = 0; j < 8; j++)
            out[p][j] = in[p][j] * 2;
#pragma endscop
}
// compile:
// code contains: void tw_share_g_1_0(

// Borders apart are better on one thread, too.
void blur(int h, int w, const unsigned char *in, unsigned char *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int left = x > 0 ? x - 1 : 0, right = x < w - 1 ? x + 1 : w - 1;
            out[y * w + x] = (in[y * w + left] + in[y * w + x] + in[y * w + right]) / 3;
        }
#pragma endscop
}
// compile:
// code contains: in[c0 * w + c1 - 1]
