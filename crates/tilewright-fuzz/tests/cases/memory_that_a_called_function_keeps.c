// found: lowering: memory that a called function keeps was said to be in no array
// seed: 61000:298
// options: 
// memory: i8:-128..127 f64:-4..5 f64:0..0
// run: 1 1 3 | 2 1024 10 | 127 5 0
// run: 2 2 0 | 6 1024 10 | 127 5 0
// run: 6 5 1 | 36 1024 10 | 127 5 0
// run: 16 8 3 | 144 1024 10 | 127 5 0
// run: 9 15 1 | 144 1024 10 | 127 5 0
// run: 7 7 -2 | 56 1024 10 | 127 5 0
// run: 14 6 3 | 98 1024 10 | 127 5 0
// run: 18 16 3 | 306 1024 10 | 127 5 0
// run: 15 13 -2 | 210 1024 10 | 127 5 0
// run: 13 12 3 | 169 1024 10 | 127 5 0
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
extern void *memcpy(void *, const void *, size_t), *memset(void *, int, size_t);
extern void abort(void), exit(int), _Exit(int);
extern float fminf(float, float), fmaxf(float, float), fabsf(float), sqrtf(float), floorf(float);
extern double fmin(double, double), fmax(double, double), fabs(double), sqrt(double), exp(double);
static int g_n;
#define LEVELS 8
static int deep(int x) { static int calls; if (x > 4095) return calls = 0; if (x < 0) return calls & 1023; calls++; return x < 2 ? calls & 1023 : (deep(x / 2) + 1) & 1023; }
void kernel(unsigned m, double alpha, signed char a[restrict g_n][m + 1], const double b[restrict 32][32], double *restrict out)
{
#pragma scop
    int i = 0;
    int d2 = deep((short)a[(i + 4) % g_n][m] & 255);
    for (long j = 1; j <= g_n - 3; j += 1) {
        a[j * 3 / 5][m] = a[j - 1][m] ^ (unsigned)a[g_n - 1 - j][m] << 5, a[i][m] = 16 * a[j][m / 2];
        a[i][m] = LEVELS ^ a[i][m];
    }
#pragma endscop
    out[9] = out[9] * 3 + deep(-1);
}
void entry(const long *s, void **p)
{
    g_n = s[0];
    kernel(s[1], s[2], p[0], p[1], p[2]);
}
