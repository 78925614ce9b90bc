// found: TW0901: isl: cannot handle void expression (isl, isl_ast_build_expr.c:1745)
// seed: 33001:5783
// options: --tile-sizes 4,5 --mutate 530420208
// memory: u64:0..1000 f32:-4..5 i64:-1000..1000 u32:0..1000 i16:-1000..1000 f64:0..0
// run: 0 1 | 0 1024 4 1 3 8 | 1000 5 1000 1000 1000 0
// run: 1 1 | 2 1024 5 2 6 8 | 1000 5 1000 1000 1000 0
// run: 2 2 | 6 1024 12 6 18 8 | 1000 5 1000 1000 1000 0
// run: 4 6 | 28 1024 48 30 90 8 | 1000 5 1000 1000 1000 0
// run: 9 9 | 90 1024 117 90 270 8 | 1000 5 1000 1000 1000 0
// run: 17 8 | 153 1024 168 144 432 8 | 1000 5 1000 1000 1000 0
// run: 24 20 | 504 1024 560 500 1500 8 | 1000 5 1000 1000 1000 0
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
#define CLAMP8(x) ((x) < 0 ? 0 : (x) > 255 ? 255 : (x))
static const int BIAS = 17;
void kernel(int n, unsigned m, size_t a[n][m + 1], float b[32][32], const long long *c, const unsigned *d, int16_t e[n + 1][m][3], double *restrict out)
{
    unsigned s1 = 0;
    unsigned char s2 = 0;
    short s3 = 1;
#pragma scop
    for (int i = 0; i + 1 < m; i++) {
        b[i][i] = (1000 <= (long)-1 ? 2.0f * b[(d[n / 2 * m + m / 3 * 5 / 7] != d[n / 2 * m + i] ? s2 : c[n * m + i]) & 31][i] : 0.25) * (i + 1 > 0 ? b[CLAMP8(7) + 3 & 31][i] : b[(BIAS > i ? -1 : s1) % 32][i]);
        if (16777619u - 5 + d[n * m + i / 2] < s1) {
            s1 = 16777619u - 5 + d[n * m + i / 2];
        }
        s3 = 1;
    }
#pragma endscop
    out[0] = s1;
    out[1] = s3;
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1], p[2], p[3], p[4], p[5]);
}
