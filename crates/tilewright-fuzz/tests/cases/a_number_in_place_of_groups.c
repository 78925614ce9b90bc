// found: panic: serde_json: cannot access key "stages" in JSON number
// seed: 19001:6432
// options: --budget 20000 --mutate 464533682
// memory: f32:-4..5 f32:-4..5 f32:-4..5 f64:-4..5 f64:0..0
// run: 1 1498481010 | 1 1024 1 1 8 | 5 5 5 5 0
// run: 1 1162401328 | 1 1024 1 1 8 | 5 5 5 5 0
// run: 2 4294967295 | 4 1024 4 4 8 | 5 5 5 5 0
// run: 4 2 | 16 1024 16 16 8 | 5 5 5 5 0
// run: 24 2 | 576 1024 576 576 8 | 5 5 5 5 0
// run: 5 4262983341 | 25 1024 25 25 8 | 5 5 5 5 0
// run: 9 0 | 81 1024 81 81 8 | 5 5 5 5 0
// run: 8 207427044 | 64 1024 64 64 8 | 5 5 5 5 0
// run: 9 1503968201 | 81 1024 81 81 8 | 5 5 5 5 0
// run: 21 4294967295 | 441 1024 441 441 8 | 5 5 5 5 0
// run: 3 2921232365 | 9 1024 9 9 8 | 5 5 5 5 0
// run: 12 1865380659 | 144 1024 144 144 8 | 5 5 5 5 0
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
static float lerp(float a, float b) { return a + 0.25f * (b - a); }
void kernel(int n, unsigned big, float a[restrict n][n], const float b[restrict 32][32], const float *restrict c, double d[restrict n][n], double *restrict out)
{
    double s2 = 0;
#pragma scop
    for (int i = -2; i < n; i += 1) {
        for (int j = 0; j < n - 2; j++) {
            d[j + 2][j + 2] = 0.25 + a[n * 1 / 2][j * 3 / 5];
            d[(j + 4) % n][j + 1 < n ? j + 1 : j] += a[j + 1 < n ? j + 1 : j][n - 1 - j] + s2 / 0.3f;
        }
        s2 = lerp(s2 + (double)big, b[i & 31][i & 31] + 2.0f);
        double t3 = (0.1f + 0.25) * (3.0 * -1.5f);
    }
    for (int i = 0; i < n - 1; i++) {
        double buf4[4];
        for (int z5 = 0; z5 < 4; z5++)
            buf4[z5] = fmin(d[i][i / 2], b[z5][z5]);
        int acc6 = 0;
        for (int j = 0; j < n - 1; j += 3) {
            double t7 = d[i / 2][i & 1] - (256 >> 1);
            if (acc6 != (15 & 3)) {
                a[i + 1][(j + 4) % n] = fabsf(d[j & 7][j + 1 < n ? j + 1 : j] - d[i + 1][j]);
                buf4[j + 3 & 3] = (double)7 * s2;
            }
            acc6 += (i * 1000 - acc6 * -2) % 1000;
        }
        a[i + 1][n / 3 * 2 / 3] = acc6;
        s2 *= c[n * 3 / 5 * n + (i + 4) % n] * i;
    }
#pragma endscop
    out[0] = s2;
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1], p[2], p[3], p[4]);
}
