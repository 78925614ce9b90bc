// found: loops over millions of empty tiles: a statement shifted from far away
// seed: 4:176
// options: 
// memory: u8:0..255 u32:0..1000 u16:0..1000 i64:-1000..1000 f64:0..0
// run: 0 -214641326921 | 1 0 32 0 8 | 255 1000 1000 1000 0
// run: 1 2147483649 | 2 1 32 1 8 | 255 1000 1000 1000 0
// run: 1 791059707445 | 2 1 32 1 8 | 255 1000 1000 1000 0
// run: 7 3 | 8 7 32 7 8 | 255 1000 1000 1000 0
// run: 17 2147483649 | 18 17 32 17 8 | 255 1000 1000 1000 0
// run: 10 -510247242012 | 11 10 32 10 8 | 255 1000 1000 1000 0
typedef unsigned long size_t;
void kernel(int n, long lg, unsigned char *restrict a, unsigned *restrict b, const unsigned short *restrict c, const long *restrict d, double *restrict out)
{
    int s1 = 0;
    int s2 = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned t3 = i + 16777619u >> 28 & 15;
        if (t3 == 3) {
            a[i > 0 ? i - 1 : 0] = c[i * 2 & 31] > d[i];
        }
    }
    for (int i = 0; i < n - 2; i++) {
        unsigned acc4 = 0;
        for (int j = 1; j < n; j += 2) {
            if (128 >= c[j + 1]) {
                a[j] += 5 & 127;
            }
            else {
                short t5 = -(s1 >> 0);
            }
            acc4 |= acc4;
        }
        b[i] = acc4;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1], p[2], p[3], p[4]);
}
