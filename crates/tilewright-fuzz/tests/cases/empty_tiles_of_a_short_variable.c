// found: crash run 56 in the result: signal 24
// seed: 19001:9643
// options: 
// memory: f32:-4..5 f32:-4..5 f64:-4..5 f64:-4..5 f64:0..0
// run: 0 65952306688 3 | 0 32 32 4 8 | 5 5 5 5 0
// run: 1 2 3 | 1 32 32 5 8 | 5 5 5 5 0
// run: 2 655514806604 -2 | 2 32 32 6 8 | 5 5 5 5 0
// run: 3 1 1 | 3 32 32 7 8 | 5 5 5 5 0
// run: 24 4294967303 2 | 24 32 32 28 8 | 5 5 5 5 0
// run: 17 2 3 | 17 32 32 21 8 | 5 5 5 5 0
// run: 15 34568786917 -2 | 15 32 32 19 8 | 5 5 5 5 0
// run: 7 1 0 | 7 32 32 11 8 | 5 5 5 5 0
// run: 8 -757462417434 3 | 8 32 32 12 8 | 5 5 5 5 0
// run: 17 1083039078717 -2 | 17 32 32 21 8 | 5 5 5 5 0
// run: 12 -595080126203 3 | 12 32 32 16 8 | 5 5 5 5 0
// run: 12 2 -1 | 12 32 32 16 8 | 5 5 5 5 0
// run: 22 347079839663 -2 | 22 32 32 26 8 | 5 5 5 5 0
// run: 20 2147483649 3 | 20 32 32 24 8 | 5 5 5 5 0
// run: 21 242611923853 0 | 21 32 32 25 8 | 5 5 5 5 0
// run: 12 -311493230179 -1 | 12 32 32 16 8 | 5 5 5 5 0
// run: 18 0 -1 | 18 32 32 22 8 | 5 5 5 5 0
// run: 3 1099511627776 3 | 3 32 32 7 8 | 5 5 5 5 0
// run: 23 -1099511627776 -2 | 23 32 32 27 8 | 5 5 5 5 0
// run: 3 -623541928401 0 | 3 32 32 7 8 | 5 5 5 5 0
// run: 20 -255159919518 3 | 20 32 32 24 8 | 5 5 5 5 0
// run: 7 -871652896107 1 | 7 32 32 11 8 | 5 5 5 5 0
// run: 6 5 0 | 6 32 32 10 8 | 5 5 5 5 0
// run: 13 1099511627776 3 | 13 32 32 17 8 | 5 5 5 5 0
// run: 3 141597443276 3 | 3 32 32 7 8 | 5 5 5 5 0
// run: 12 -638409479540 3 | 12 32 32 16 8 | 5 5 5 5 0
// run: 3 2 -2 | 3 32 32 7 8 | 5 5 5 5 0
// run: 10 -1099511627776 3 | 10 32 32 14 8 | 5 5 5 5 0
// run: 6 2 0 | 6 32 32 10 8 | 5 5 5 5 0
// run: 20 1 3 | 20 32 32 24 8 | 5 5 5 5 0
// run: 15 -432156801907 1 | 15 32 32 19 8 | 5 5 5 5 0
// run: 12 630313696456 3 | 12 32 32 16 8 | 5 5 5 5 0
// run: 19 363209289854 3 | 19 32 32 23 8 | 5 5 5 5 0
// run: 8 39506579264 1 | 8 32 32 12 8 | 5 5 5 5 0
// run: 21 -261480115451 2 | 21 32 32 25 8 | 5 5 5 5 0
// run: 6 3 1 | 6 32 32 10 8 | 5 5 5 5 0
// run: 6 -643434956696 0 | 6 32 32 10 8 | 5 5 5 5 0
// run: 24 -771368349300 1 | 24 32 32 28 8 | 5 5 5 5 0
// run: 2 0 -1 | 2 32 32 6 8 | 5 5 5 5 0
// run: 11 -625195583139 -2 | 11 32 32 15 8 | 5 5 5 5 0
// run: 0 312379928089 -2 | 0 32 32 4 8 | 5 5 5 5 0
// run: 14 4294967303 0 | 14 32 32 18 8 | 5 5 5 5 0
// run: 13 -414554479751 3 | 13 32 32 17 8 | 5 5 5 5 0
// run: 22 -242320184537 3 | 22 32 32 26 8 | 5 5 5 5 0
// run: 16 1 0 | 16 32 32 20 8 | 5 5 5 5 0
// run: 6 -853891371499 1 | 6 32 32 10 8 | 5 5 5 5 0
// run: 7 0 -1 | 7 32 32 11 8 | 5 5 5 5 0
// run: 21 1099511627776 0 | 21 32 32 25 8 | 5 5 5 5 0
// run: 1 120189528921 2 | 1 32 32 5 8 | 5 5 5 5 0
// run: 4 3 3 | 4 32 32 8 8 | 5 5 5 5 0
// run: 22 1099511627776 2 | 22 32 32 26 8 | 5 5 5 5 0
// run: 21 431673196886 3 | 21 32 32 25 8 | 5 5 5 5 0
// run: 3 3 0 | 3 32 32 7 8 | 5 5 5 5 0
// run: 17 1099511627776 1 | 17 32 32 21 8 | 5 5 5 5 0
// run: 18 -1055175046863 -2 | 18 32 32 22 8 | 5 5 5 5 0
// run: 13 3 3 | 13 32 32 17 8 | 5 5 5 5 0
// run: 11 2147483649 3 | 11 32 32 15 8 | 5 5 5 5 0
// run: 11 -394441129074 -2 | 11 32 32 15 8 | 5 5 5 5 0
// run: 22 -710507187807 2 | 22 32 32 26 8 | 5 5 5 5 0
// run: 16 -992332874312 2 | 16 32 32 20 8 | 5 5 5 5 0
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
static int pick(int k) { if (k < 0) return 1; if (k > 7) return 3; return k & 3; }
#define OFFSET (-3)
struct layer { double *d; };
static struct layer g_l;
static float g_b[32];
static double g_c[32];
void kernel(int n, long lg, float alpha, float *restrict a, double *restrict out)
{
#pragma scop
    int t1 = 8 * 16 >> 3;
    if (255 != 8 && OFFSET > OFFSET) {
        if ((1000 >> (-1 & 15) | 2 >> 7) > t1) {
            t1 = 1000 >> (-1 & 15) | 2 >> 7;
        }
        g_l.d[n] = g_c[0 + 1];
    }
    for (short i = 0; i < n; i++) {
        a[i / 2] = alpha - (fmin(g_c[128 * 4 & 31], g_b[i * 2 & 31]) + fmax(g_l.d[n], g_b[i]));
        double t2 = g_l.d[i] * alpha - (a[i] + 256);
        if (i <= t1 && g_b[(OFFSET ^ 4) + 1 & 31] > t2) {
            if (4 / 256 < 2) {
                unsigned t3 = (t1 + t1) / -2;
                a[i] = g_c[(int)((g_b[i * 2 & 31] > g_l.d[i + 1 < n ? i + 1 : i] ? g_c[i] : alpha) > 0.0f ? (g_b[i * 2 & 31] > g_l.d[i + 1 < n ? i + 1 : i] ? g_c[i] : alpha) < 255.0f ? g_b[i * 2 & 31] > g_l.d[i + 1 < n ? i + 1 : i] ? g_c[i] : alpha : 255.0f : 0.0f) + 1 & 31];
            }
            else {
                char t4 = 65535;
            }
        }
        for (int j = 1; j < 8; j += 3) {
            a[i] = a[i] - (float)t1 - t2;
            a[i] *= (float)-3;
        }
        unsigned int t5 = (0 + 255u) / ((-1 & 7) + 1);
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    memcpy(g_b, p[1], sizeof g_b);
    memcpy(g_c, p[2], sizeof g_c);
    g_l.d = p[3];
    kernel(s[0], s[1], s[2], p[0], p[4]);
    memcpy(p[1], g_b, sizeof g_b);
    memcpy(p[2], g_c, sizeof g_c);
}
