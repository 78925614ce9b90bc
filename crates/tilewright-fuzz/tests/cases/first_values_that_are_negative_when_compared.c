// found: certify: an access outside of its array: a signed variable that begins with an unsigned value and is compared with one
// seed: 2002:64
// options: --certify quick --shape parallelogram --fuse max
// memory: i32:0..9 u32:-1..3 u32:0..6 u64:-1..3 u64:0..6 i32:-9..9 f64:0..0
// run: 20 | 20 20 20 20 20 6 8 | 9 3 6 3 6 9 0
// run: 7 | 7 7 7 7 7 6 8 | 9 3 6 3 6 9 0
typedef unsigned long size_t;
void kernel(int n, int *restrict a, const unsigned *restrict b, const unsigned *restrict e, const size_t *restrict bl, const size_t *restrict el, const int *restrict d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int k = b[i]; k < e[i]; k++)
            a[i] += d[k] + k;
        for (int k = bl[i]; k < el[i]; k++)
            a[i] += d[k] - k;
        for (long k = bl[i]; k < el[i]; k++)
            a[i] ^= d[k];
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2], p[3], p[4], p[5]);
}
