// found: lowering: S1[y = 0, x = 0] (n = 1, d = a + -1, ones): memory is written that is in no array, at line 25: `a[idx[x]][(y + 3) % n] = x <= x & c[x + 2][n - 1 - x][128 % 256 & 3] - 65535;`
// seed: 19001:18080
// options: 
// memory: u32:0..1000 i32:-1000..1000 i8:-128..127 u32:0..1000 i32:0..23 f64:0..0
// run: 1 | 3 1 20 1024 1 8 | 1000 1000 127 1000 0 0
// run: 2 | 8 4 48 1024 2 8 | 1000 1000 127 1000 1 0
// run: 7 | 63 49 308 1024 7 8 | 1000 1000 127 1000 6 0
// run: 9 | 99 81 468 1024 9 8 | 1000 1000 127 1000 8 0
// run: 5 | 35 25 180 1024 5 8 | 1000 1000 127 1000 4 0
// run: 17 | 323 289 1428 1024 17 8 | 1000 1000 127 1000 16 0
// run: 22 | 528 484 2288 1024 22 8 | 1000 1000 127 1000 21 0
// run: 10 | 120 100 560 1024 10 8 | 1000 1000 127 1000 9 0
// run: 23 | 575 529 2484 1024 23 8 | 1000 1000 127 1000 22 0
// run: 18 | 360 324 1584 1024 18 8 | 1000 1000 127 1000 17 0
// run: 19 | 399 361 1748 1024 19 8 | 1000 1000 127 1000 18 0
// run: 11 | 143 121 660 1024 11 8 | 1000 1000 127 1000 10 0
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
void kernel(unsigned char n, uint32_t a[n][n + 2], const int b[n][n], int8_t c[n + 4][n][4], const unsigned d[32][32], const int *restrict idx, double *restrict out)
{
    signed char s1 = 0;
    short s2 = 0;
#pragma scop
    for (unsigned char y = 0; y < n; y++)
        for (unsigned char x = 0; x < n; x++) {
            a[y][x] = a[y][x] + a[y][x] + a[y][x] * 77 + a[y][x] * 30 >> 1;
            if (y == 0) {
                a[idx[x]][(y + 3) % n] = x <= x & c[x + 2][n - 1 - x][128 % 256 & 3] - 65535;
            }
            else {
                int t3 = b[y / 2][x / 2] % 1000;
            }
        }
#pragma endscop
    out[0] = s1;
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2], p[3], p[4], p[5]);
}
