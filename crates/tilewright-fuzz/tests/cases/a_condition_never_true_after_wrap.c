// found: loops over millions of empty tiles
// seed: 6:167
// options: --fuse max --tile-sizes 5,4,2
// memory: u32:0..1000 f64:-4..5 u8:0..255 u32:0..1000 i64:-1000..1000 f64:0..0
// run: 0 1 | 32 2 5 32 0 8 | 1000 5 255 1000 1000 0
// run: 1 1 | 32 3 5 32 1 8 | 1000 5 255 1000 1000 0
// run: 2 2 | 32 4 12 32 2 8 | 1000 5 255 1000 1000 0
// run: 3 3 | 32 5 21 32 3 8 | 1000 5 255 1000 1000 0
// run: 9 1 | 32 11 5 32 9 8 | 1000 5 255 1000 1000 0
// run: 4 17 | 32 6 357 32 4 8 | 1000 5 255 1000 1000 0
typedef unsigned long size_t;
extern void *memcpy(void *, const void *, size_t);
static unsigned mix(unsigned h) { h ^= h >> 15; return h * 2246822519u; }
static unsigned g_a[32];
unsigned g_d[32];
void kernel(unsigned n, int m, const double *restrict b, const unsigned char c[restrict m][m + 4], long *restrict e, double *restrict out)
{
#pragma scop
    for (int t = 0; t < 4; t++)
        for (int i = 1; i + 1 < n; i++)
            e[i] = ((e[i] + e[i - 1] ^ e[i] ^ e[i - 1]) & 255) + (e[i] & 1023);
    for (int i = n - 1; i >= 0; i--) {
        g_a[i] -= (e[i] - 7) / 5;
        if (i < i) {
            e[i / 2] ^= (g_d[i] + n) % 5u;
        }
        g_d[i] *= (g_d[i] > -3 ? 1000 : g_d[i + 2]) - 100 % 97 * (e[i] & 15);
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    memcpy(g_a, p[0], sizeof g_a);
    memcpy(g_d, p[3], sizeof g_d);
    kernel(s[0], s[1], p[1], p[2], p[4], p[5]);
    memcpy(p[0], g_a, sizeof g_a);
    memcpy(p[3], g_d, sizeof g_d);
}
