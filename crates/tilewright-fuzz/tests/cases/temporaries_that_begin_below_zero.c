// found: crash run 0 in the result: status 1 AddressSanitizer: heap-buffer-overflow on address 0x6020000000ec at pc 0x5627fb7761b8 bp 0x7fd74b1fed40 sp 0x7fd74b1fed38
// seed: 38001:562
// options: --fuse no --tile-sizes 5 --inline pointwise
// memory: i32:-1000..1000 i64:-1000..1000 u8:0..255 f64:0..0
// run: 0 | 32 2 0 8 | 1000 1000 255 0
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
void kernel(int n, int *a, const long *b, unsigned char *c, double *restrict out)
{
    int s1 = 1;
#pragma scop
    for (int i = -2; i < n; i += 1) {
        s1 = (!(-2 > 256) ? (unsigned)a[i & 31] * s1 : 2654435761u + 100) & 1023;
        if ((int)(((unsigned)i << 3) - 16) % 1000 > s1) {
        }
        unsigned acc2 = 0;
        for (long j = 0; j < 7; j += 1)
            acc2 = -(i == i ? 8 : a[a[i + 0 & 31] * 5 & 31]);
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2], p[3]);
}
