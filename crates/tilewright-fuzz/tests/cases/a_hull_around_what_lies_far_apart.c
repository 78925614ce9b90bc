// found: crash run 0 in the result: signal 4
// seed: 37001:673
// options: 
// memory: f32:-4..5 i64:-1000..1000 f64:-4..5 f64:0..0
// run: 1 1 1 | 6 1 4 8 | 5 1000 5 0
// run: 12 17 11 | 429 144 216 8 | 5 1000 5 0
// run: 23 24 2 | 144 529 75 8 | 5 1000 5 0
// run: 3 13 19 | 228 9 280 8 | 5 1000 5 0
// run: 11 10 7 | 252 121 88 8 | 5 1000 5 0
// run: 20 21 22 | 1386 400 506 8 | 5 1000 5 0
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
void kernel_b(int n, int m, unsigned w, float a[restrict n + 1][w][3], long b[restrict n][n], const double c[restrict w + 1][m + 1], double *restrict out)
{
    int s2 = 0;
    double s3 = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long sum = 0;
            for (int k = 0; k < n; k++)
                sum &= (size_t)b[(i + 5) % n][k] << 3 & 7;
            b[i][j] = sum;
        }
    s2 = (int)(s3 * s3 > 0.0f ? s3 * s3 < 255.0f ? s3 * s3 : 255.0f : 0.0f) % 1000;
    for (int i = 0; i < m - 1; i++) {
        if (i - 4 == w) {
            s3 = (double)-2 / 9.0f - (128 <= 5 ? c[w][i + 1 < m ? i + 1 : i] : c[w][i > 0 ? i - 1 : 0]);
        }
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel_b(s[0], s[1], s[2], p[0], p[1], p[2], p[3]);
}
