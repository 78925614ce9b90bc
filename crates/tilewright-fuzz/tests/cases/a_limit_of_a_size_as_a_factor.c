// found: loops over millions of empty tiles: a limit of unsigned arithmetic as a factor of the schedule
// seed: 2001:12
// options: --fuse smart --tile-sizes 1,16,4
// memory: u64:0..1000 u8:0..255 u32:0..1000 i32:-1000..1000 i32:-1000..1000 f64:0..0
// run: 1 1 3 2 | 4 1 1 1 1 8 | 1000 255 1000 1000 1000 0
// run: 1 1 879825896204 2 | 4 1 1 1 1 8 | 1000 255 1000 1000 1000 0
// run: 2 2 1099511627776 0 | 9 4 4 2 2 8 | 1000 255 1000 1000 1000 0
// run: 5 4 -1056363496920 1880440358 | 30 20 25 4 4 8 | 1000 255 1000 1000 1000 0
// run: 9 9 4294967303 1372661524 | 100 81 81 9 9 8 | 1000 255 1000 1000 1000 0
// run: 8 8 -1099511627776 1 | 81 64 64 8 8 8 | 1000 255 1000 1000 1000 0
// run: 9 17 -580690605472 3409261815 | 180 153 81 17 17 8 | 1000 255 1000 1000 1000 0
// run: 4 9 -793335319167 2147483649 | 50 36 16 9 9 8 | 1000 255 1000 1000 1000 0
typedef unsigned long size_t;
void kernel(int n, size_t m, long lg, unsigned big, size_t a[restrict n + 1][m + 1], unsigned char b[restrict m][n], unsigned c[restrict n][n], int *restrict d, const int *restrict e, double *restrict out)
{
#pragma scop
    for (size_t i = 2; i + 1 < m; i++) {
        for (size_t j = 1; j < m / 2; j += 2)
            for (int k = 1; k < j; k++) {
                int t1 = (j - a[n][j - 1]) * (40503u >= e[i & 3]);
                a[n][i] = k;
            }
        d[i / 2] = (int)(65535 * m - lg + 0) % 1000;
        unsigned char t2 = 1 - a[n][m];
    }
#pragma endscop
#pragma scop
    if (0 >= 3) {
        a[n][m] = 15;
    }
    for (int i = m - 2; i >= 0; i--) {
        for (int j = 0; j < m; j++) {
            unsigned short t3 = j;
            d[(j + 5) % m] = (signed char)256;
        }
        signed char t4 = (unsigned)e[i] << 16;
    }
    for (int i = 2; i + 2 < m; i += 3)
        a[n & 1][i] = e[i - 1] - 256 + 128;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], s[2], s[3], p[0], p[1], p[2], p[3], p[4], p[5]);
}
