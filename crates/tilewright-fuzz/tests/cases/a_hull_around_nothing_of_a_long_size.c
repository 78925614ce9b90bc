// found: crash run 1 in the result: signal 24
// seed: 8001:8
// options: --shape parallelogram --fuse max --tile-sizes 3,7,7 --separate
// memory: i64:-1000..1000 i32:-1000..1000 f64:0..0
// run: 0 | 1024 1024 8 | 1000 1000 0
// run: 1 | 1024 1024 8 | 1000 1000 0
// run: 2 | 1024 1024 8 | 1000 1000 0
// run: 7 | 1024 1024 8 | 1000 1000 0
// run: 15 | 1024 1024 8 | 1000 1000 0
// run: 4 | 1024 1024 8 | 1000 1000 0
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t, pixel;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef float real;
extern void *memcpy(void *, const void *, size_t);
extern float fminf(float, float), fmaxf(float, float), fabsf(float), sqrtf(float), floorf(float);
extern double fmin(double, double), fmax(double, double), fabs(double), sqrt(double), exp(double);
static unsigned char sat(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }
static unsigned mix(unsigned h) { h ^= h >> 15; return h * 2246822519u; }
void kernel(long n, long a[restrict 32][32], int b[restrict 32][32], double *restrict out)
{
    int s1 = 1;
    int s2 = 1;
#pragma scop
    for (unsigned i = 0; i + 2 < n; i++)
        for (int j = 0; j < 8; j++) {
            int32_t t3 = (unsigned char)100;
            a[j][1 + 0] = b[j * 2][j] / 40503u;
        }
    if (40503u >> 3 != -3 - a[b[0][0 + -1 < 0 ? 0 : 0 + -1 < 31 ? 0 + -1 : 31] + 2 & 31][0]) {
        a[0][b[0][0] & 31] = (int)mix(b[0][0] / 65535) % 1000;
    }
    else
        ++s1;
    for (int i = n - 2; i > 0; i--)
        for (int j = -1; j < n; j++) {
            s1 |= (b[j < 0 ? 0 : j < 31 ? j : 31][j < 0 ? 0 : j < 31 ? j : 31] >> (128 & 15)) - (int)j & 15;
            a[j < 0 ? 0 : j < 31 ? j : 31][i] += (a[j + 1][j & 31] - (255 | i)) % 1000;
            uint16_t t4 = a[i + 0][(unsigned char)s2 & 31];
            s1 += t4 % 1000;
        }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2]);
}
