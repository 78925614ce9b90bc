// found: differs run 3 memory 2 element 2: 65518 became -1
// seed: 22002:1004
// options: --shape polymage
// memory: i64:-1000..1000 u8:0..255 i32:-1000..1000 u64:0..1000 u64:0..1000 f64:0..0
// run: 0 0 | 2 32 32 0 0 8 | 1000 255 1000 1000 1000 0
// run: 1 1 | 3 32 32 3 1 8 | 1000 255 1000 1000 1000 0
// run: 1 2 | 3 32 32 3 1 8 | 1000 255 1000 1000 1000 0
// run: 3 6 | 5 32 32 9 3 8 | 1000 255 1000 1000 1000 0
// run: 9 1 | 11 32 32 27 9 8 | 1000 255 1000 1000 1000 0
// run: 9 8 | 11 32 32 27 9 8 | 1000 255 1000 1000 1000 0
// run: 15 7 | 17 32 32 45 15 8 | 1000 255 1000 1000 1000 0
// run: 15 16 | 17 32 32 45 15 8 | 1000 255 1000 1000 1000 0
// run: 5 3 | 7 32 32 15 5 8 | 1000 255 1000 1000 1000 0
// run: 16 23 | 18 32 32 48 16 8 | 1000 255 1000 1000 1000 0
// run: 10 19 | 12 32 32 30 10 8 | 1000 255 1000 1000 1000 0
// run: 5 17 | 7 32 32 15 5 8 | 1000 255 1000 1000 1000 0
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
static unsigned mix(unsigned h) { h ^= h >> 15; return h * 2246822519u; }
#define OFFSET (-3)
unsigned char g_b[32];
int g_c[32];
void kernel(int n, size_t m, long *a, const struct rgb_u64 *d, size_t *e, double *restrict out)
{
    unsigned s1 = 0;
    unsigned s2 = 0;
#pragma scop
    for (long i = 0; i < 2; i++) {
        g_c[mix(OFFSET) % 8] = 1000;
        int acc3 = 0;
        for (unsigned char j = 0; j < n; j++) {
            g_c[j] = OFFSET + j;
            g_b[g_b[j] & 31] |= 3 - j / ((0 & 7) + 1);
            acc3 += (int)4294967290u % 1000;
        }
        g_c[(i - 4 >= 0 ? i + 4 : i) + 1] = acc3 & 65535;
    }
#pragma endscop
    out[0] = s1;
}
void entry(const long *s, void **p)
{
    memcpy(g_b, p[1], sizeof g_b);
    memcpy(g_c, p[2], sizeof g_c);
    kernel(s[0], s[1], p[0], p[3], p[4], p[5]);
    memcpy(p[1], g_b, sizeof g_b);
    memcpy(p[2], g_c, sizeof g_c);
}
