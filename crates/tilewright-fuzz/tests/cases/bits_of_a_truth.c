// found: a conversion to _Bool was taken to keep the lowest bits
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:0..9 i32:0..9
// run: 10 2 | 10 300 | 9 9
// run: 3 0 | 10 300 | 9 9
// run: 3 256 | 10 300 | 9 9
void kernel(int n, int m, int *restrict a, int *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[(_Bool)(m / 2) & 1] += i;
    for (int i = 0; i < 300; i++)
        b[(unsigned char)(_Bool)i] += i;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1]);
}
