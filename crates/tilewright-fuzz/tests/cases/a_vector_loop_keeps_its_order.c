// found: differs run 6 memory 0 element 262: 0 became -884899456
// seed: 19001:1955
// options: 
// memory: f32:-4..5 f32:-4..5 f64:-4..5 f64:0..0
// run: 1 | 4 3 2 8 | 5 5 5 0
// run: 2 | 16 8 6 8 | 5 5 5 0
// run: 6 | 144 48 42 8 | 5 5 5 0
// run: 15 | 900 255 240 8 | 5 5 5 0
// run: 4 | 64 24 20 8 | 5 5 5 0
// run: 7 | 196 63 56 8 | 5 5 5 0
// run: 14 | 784 224 210 8 | 5 5 5 0
// run: 17 | 1156 323 306 8 | 5 5 5 0
// run: 9 | 324 99 90 8 | 5 5 5 0
// run: 24 | 2304 624 600 8 | 5 5 5 0
// run: 20 | 1600 440 420 8 | 5 5 5 0
// run: 10 | 400 120 110 8 | 5 5 5 0
// run: 8 | 256 80 72 8 | 5 5 5 0
// run: 23 | 2116 575 552 8 | 5 5 5 0
// run: 11 | 484 143 132 8 | 5 5 5 0
// run: 5 | 100 35 30 8 | 5 5 5 0
// run: 18 | 1296 360 342 8 | 5 5 5 0
// run: 3 | 36 15 12 8 | 5 5 5 0
// run: 16 | 1024 288 272 8 | 5 5 5 0
// run: 19 | 1444 399 380 8 | 5 5 5 0
// run: 22 | 1936 528 506 8 | 5 5 5 0
// run: 13 | 676 195 182 8 | 5 5 5 0
// run: 12 | 576 168 156 8 | 5 5 5 0
// run: 21 | 1764 483 462 8 | 5 5 5 0
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
#define AT(a, w, i, j) a[(i) * (w) + (j)]
void kernel(size_t n, float a[restrict n][n][4], const float *restrict b, double c[restrict n][n + 1], double *restrict out)
{
    float s1 = 0;
#pragma scop
    for (int y = 2; y + 2 < n; y++)
        for (size_t x = 2; x + 2 < n; x++) {
            double t2 = c[y - 2][x - 2] * 45 + c[y - 2][x - 1] * 36 + c[y][x - 2];
            c[y][x] = t2;
        }
    for (int y = 2; y + 2 < n; y++)
        for (size_t x = 2; x + 2 < n; x++) {
            double t3 = c[y + 1][x] + c[y + 1][x + 2] + c[y - 2][x - 2];
            double t4 = t3;
            c[y][x] = t4;
            if (16 - 65535 == 16) {
                const double t5 = (a[x & 1][(y + 5) % n][x + 3 & 3] + t4) / 2.0f;
                c[(x + 4) % n][x > 0 ? x - 1 : 0] += fabs(t5 + (float)8);
            }
            else
                a[x / 2][x + 1][(short)3 + (127 - y) & 3] = c[x][x] - t4;
        }
#pragma endscop
    out[0] = s1;
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2], p[3]);
}
