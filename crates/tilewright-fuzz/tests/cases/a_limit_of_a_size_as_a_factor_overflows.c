// found: signed overflow: 8589934588 * 2147483646: a limit of unsigned arithmetic as a factor of the schedule
// seed: 2002:125
// options: --shape parallelogram --fuse max --tile-sizes 1 --reductions atomic
// memory: u16:0..1000 i32:-1000..1000 u32:0..1000 u8:0..23 f64:0..0
// run: 0 1 909338269517 | 4 1024 0 0 8 | 1000 1000 1000 -1 0
// run: 1 1 2 | 6 1024 1 1 8 | 1000 1000 1000 0 0
// run: 2 2 410184393147 | 12 1024 4 2 8 | 1000 1000 1000 1 0
// run: 7 3 0 | 36 1024 21 7 8 | 1000 1000 1000 6 0
// run: 0 2 -735135073205 | 6 1024 0 0 8 | 1000 1000 1000 -1 0
// run: 15 5 -916476728537 | 102 1024 75 15 8 | 1000 1000 1000 14 0
// run: 5 3 144641808465 | 28 1024 15 5 8 | 1000 1000 1000 4 0
// run: 16 9 3 | 180 1024 144 16 8 | 1000 1000 1000 15 0
typedef unsigned long size_t;
#define SQR(x) ((x) * (x))
#define AT(a, w, i, j) a[(i) * (w) + (j)]
void kernel(unsigned n, int m, long lg, unsigned short a[restrict n + 2][m + 1], int b[restrict 32][32], const unsigned *restrict c, const unsigned char *restrict idx, double *restrict out)
{
    size_t s1 = 0;
#pragma scop
    for (size_t i = 2; i < n; i += 2) {
        ++b[i][i];
        unsigned acc2 = 0;
        for (long j = 0; j < (n < m ? n : m); j++) {
            b[j + 2][j] ^= (int)acc2 % 1000;
            acc2 |= 2147483648u - a[i - 2][m] - (2654435761u + s1);
        }
        a[i][m] = acc2;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], s[2], p[0], p[1], p[2], p[3], p[4]);
}
