// found: crash run 0 in the result: status 1 runtime error: signed integer overflow: -807444932790 * 134217728 cannot be represented in type 'long int'
// seed: 19001:5038
// options: 
// memory: u32:0..1000 i16:-1000..1000 f64:0..0
// run: 2 2 -807444932790 | 4 2 8 | 1000 1000 0
// run: 4 17 780220404149 | 6 17 8 | 1000 1000 0
// run: 12 6 -1099511627776 | 14 6 8 | 1000 1000 0
// run: 14 8 -1099511627776 | 16 8 8 | 1000 1000 0
// run: 18 19 -484687821065 | 20 19 8 | 1000 1000 0
// run: 5 14 66651740535 | 7 14 8 | 1000 1000 0
// run: 20 16 4294967303 | 22 16 8 | 1000 1000 0
// run: 3 23 -1099511627776 | 5 23 8 | 1000 1000 0
// run: 13 19 0 | 15 19 8 | 1000 1000 0
// run: 2 23 1 | 4 23 8 | 1000 1000 0
// run: 22 13 1099511627776 | 24 13 8 | 1000 1000 0
// run: 18 22 -740251006577 | 20 22 8 | 1000 1000 0
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
enum { E_FIRST, E_SECOND = 5, E_LAST };
void kernel(int n, int m, long lg, unsigned *a, short *b, double *restrict out)
{
    long buf1[4];
#pragma scop
    for (int i = 0; i < m; i++) {
        unsigned t3 = (E_FIRST + m) * 31u;
        unsigned t4 = (t3 >> 27) % 7;
        buf1[t4 + lg & 3] = i << 5;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], s[2], p[0], p[1], p[2]);
}
