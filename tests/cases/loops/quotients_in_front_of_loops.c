// Quotients by a size stay where they are computed, in front of the loops that use them; remainders that
// turn back at a border are followed.
void columns(int rows, int n, int k, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int q = 0; q < rows; q++) {
        int left = q % k, down = q / k % k;
        for (int x = 0; x < n; x++)
            b[q * n + x] = a[x * down + left];
    }
#pragma endscop
}
void torus(int h, int w, const int *restrict a, int *restrict b)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        int up = (y + h - 1) % h;
        for (int x = 0; x < w; x++)
            b[y * w + x] = a[up * w + x];
    }
#pragma endscop
}
// compile: --fork-operations 0
// code contains: int tw_left = c0 % k;
// code contains: a[(c0 == 0 ? h - 1 : c0 - 1) * w + c1]
