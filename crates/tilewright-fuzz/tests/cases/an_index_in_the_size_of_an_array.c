// found: an index that is moved in several steps had been the size of an array before the last of them
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:0..9 i32:-9..9 i32:-9..9
// run: 12 9 | 12 12 12 | 8 9 9
// run: 5 20 | 20 20 20 | 19 9 9
// run: 1 3 | 3 3 3 | 2 9 9
void kernel(int n, int k, const int *restrict idx, const int *restrict b, int *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int m = k;
        int tmp[m];
        if (m > 2)
            m = 2;
        for (int j = 0; j < k; j++)
            tmp[j] = j;
        tmp[idx[i]] = b[i] * 2;
        for (int j = 0; j < k; j++)
            out[i] += tmp[j] + b[m];
    }
    for (int i = 0, j = 5u; i < n; j = i++)
        out[i] += (j - 3) / 2;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1], p[2]);
}
