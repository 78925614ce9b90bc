// found: TW0903: a simpler plan is used: its result would differ from the original: kernel_0(q = 5, values of several kinds): signed overflow (line 24 of the result); by one thread; first after pass `lower`
// seed: 28001:1006
// options: --shape parallelogram --certify quick
// memory: u32:0..1000 u32:0..1000 u16:0..1000 i64:-1000..1000 i32:-1000..1000 i64:0..24:sorted i32:0..23 f64:0..0
// run: 0 3 | 32 0 0 0 1 1 0 8 | 1000 1000 1000 1000 1000 0 -1 0
// run: 1 9 | 32 2 1 1 2 2 1 8 | 1000 1000 1000 1000 1000 1 0 0
// run: -3 6 | 32 0 0 0 0 0 0 8 | 1000 1000 1000 1000 1000 -3 -4 0
// run: 4 2 | 32 8 4 4 5 5 4 8 | 1000 1000 1000 1000 1000 4 3 0
// run: 2 8 | 32 4 2 2 3 3 2 8 | 1000 1000 1000 1000 1000 2 1 0
// run: 16 -6 | 32 32 16 16 17 17 16 8 | 1000 1000 1000 1000 1000 16 15 0
// run: 4 -6 | 32 8 4 4 5 5 4 8 | 1000 1000 1000 1000 1000 4 3 0
// run: 12 3 | 32 24 12 12 13 13 12 8 | 1000 1000 1000 1000 1000 12 11 0
// run: 14 1 | 32 28 14 14 15 15 14 8 | 1000 1000 1000 1000 1000 14 13 0
// run: 14 9 | 32 28 14 14 15 15 14 8 | 1000 1000 1000 1000 1000 14 13 0
// run: 10 1 | 32 20 10 10 11 11 10 8 | 1000 1000 1000 1000 1000 10 9 0
// run: 20 -1 | 32 40 20 20 21 21 20 8 | 1000 1000 1000 1000 1000 20 19 0
// run: 6 5 | 32 12 6 6 7 7 6 8 | 1000 1000 1000 1000 1000 6 5 0
// run: 22 -5 | 32 44 22 22 23 23 22 8 | 1000 1000 1000 1000 1000 22 21 0
// run: 9 2 | 32 18 9 9 10 10 9 8 | 1000 1000 1000 1000 1000 9 8 0
// run: 7 6 | 32 14 7 7 8 8 7 8 | 1000 1000 1000 1000 1000 7 6 0
// run: 5 -4 | 32 10 5 5 6 6 5 8 | 1000 1000 1000 1000 1000 5 4 0
// run: 10 3 | 32 20 10 10 11 11 10 8 | 1000 1000 1000 1000 1000 10 9 0
// run: 7 9 | 32 14 7 7 8 8 7 8 | 1000 1000 1000 1000 1000 7 6 0
// run: 4 5 | 32 8 4 4 5 5 4 8 | 1000 1000 1000 1000 1000 4 3 0
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
struct pair_u32 { unsigned x, y; };
struct layer { int n; unsigned *a; uint16_t *c; };
void kernel(struct layer lay, int q, const struct pair_u32 *restrict b, ptrdiff_t *restrict d, const int32_t *restrict e, const long *restrict row, const int *restrict idx, double *restrict out)
{
    unsigned char s1 = 0;
#pragma scop
    for (int i = 0; i < lay.n; i++) {
        lay.a[i]++;
        for (int k = row[i]; k < row[i + 1]; k++) {
            lay.c[lay.n * 3 / 5] = i;
            lay.a[k] += s1 * (short)lay.c[k];
        }
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < lay.n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            s1 = row[i + 1] + (1 ^ 7);
#pragma endscop
#pragma scop
    for (int i = 0; i < lay.n; i++) {
        if (i + 1 > i) {
            d[lay.n / 4 * 3 / 4] ^= (15 - 4) / 65535;
        }
        else {
            size_t t2 = (size_t)(i == s1 ? e[i > 0 ? i - 1 : 0] : d[i / 2]) << 3;
        }
        for (int k = row[i]; k < row[i + 1]; k++)
            s1 = row[k > 0 ? k - 1 : 0] - (1000 != i ? idx[k + 1 < lay.n ? k + 1 : k] : i);
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    struct layer lay;
    lay.n = s[0];
    lay.a = p[0];
    lay.c = p[2];
    kernel(lay, s[1], p[1], p[3], p[4], p[5], p[6], p[7]);
}
