// found: differs run 1 memory 0 element 0: 0 became -0
// seed: 19001:15025
// options: --shape parallelogram
// memory: f64:-4..5 f32:-4..5 f32:-4..5 f64:0..0
// run: 0 -291856162641 2833952079 | 32 32 1024 8 | 5 5 5 0
// run: 1 4294967303 1946797792 | 32 32 1024 8 | 5 5 5 0
// run: 1 -471978537783 3898707264 | 32 32 1024 8 | 5 5 5 0
// run: 4 392583435451 0 | 32 32 1024 8 | 5 5 5 0
// run: 0 1030045467077 2920954046 | 32 32 1024 8 | 5 5 5 0
// run: 8 422838311816 997302147 | 32 32 1024 8 | 5 5 5 0
// run: 16 0 3047459892 | 32 32 1024 8 | 5 5 5 0
// run: 16 -685155279314 1 | 32 32 1024 8 | 5 5 5 0
// run: 14 -296736005136 2147483649 | 32 32 1024 8 | 5 5 5 0
// run: 14 310113356600 2376794327 | 32 32 1024 8 | 5 5 5 0
// run: 23 -221227596285 5 | 32 32 1024 8 | 5 5 5 0
// run: 4 1 2989924144 | 32 32 1024 8 | 5 5 5 0
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
static unsigned char sat(int x) { return x < 0 ? 0 : x > 255 ? 255 : x; }
const short tab_moves[8] = {-1, 0, 1, 0, 0, -1, 0, 1};
static double g_a[32];
void kernel(int n, long lg, unsigned big, const float *restrict b, float c[restrict 32][32], double *restrict out)
{
#pragma scop
    for (long i = 1; i < n; i += 1) {
        float acc2 = 0;
        for (int i3 = n; i3 > 0; i3--) {
            c[i3 + 1][i3 + -2 & 31] = 0.5f + -3;
            acc2 -= (float)big;
        }
        c[(i - 1 <= i ^ 2) * 2][i + 3] = acc2;
        c[i][i] = b[i + -2 & 31] * acc2;
    }
    for (int i = 0; i < n; i += 3) {
        int t4 = 255 == 1000 & 3;
        if (t4 == 0) {
            g_a[i] = (double)i - tab_moves[1];
        }
        else {
            if (t4 == 1) {
                g_a[7] = g_a[i];
            }
            else {
                if (t4 == 2) {
                    size_t t5 = 1000;
                }
                else {
                    if (i == big) {
                        c[i][255u > 16777619u] = c[(int)(2.0f * g_a[i] > 0.0f ? 2.0f * g_a[i] < 255.0f ? 2.0f * g_a[i] : 255.0f : 0.0f) & 31][i + 3] * g_a[(i - 1 > 0) + 1];
                    }
                    else
                        c[i][i + 2] = fabs(c[i][i]);
                    if ((7 * -1 & 1) == 0) {
                        g_a[i + 2] = g_a[sat(100) & 31] / 3.0 * (7 != 4 ? (float)2 : 0.5f);
                    }
                    else {
                        if ((7 * -1 & 1) == 1) {
                            c[8 - ((unsigned)-2 << 15) + 0 & 31][i] = c[i][i + 0] + c[i][i] + b[lg & 31] - g_a[i];
                        }
                        else
                            g_a[i] = b[-(-2)];
                    }
                }
            }
        }
        c[i][~(16777619u % 255) & 31] = b[(0.5f > b[i] ? 0 : 65535) & 31];
        const double t6 = g_a[i] + 2.0f - (float)2;
        int t7 = 4 / 7 & 7;
        if (t7 == 0) {
            c[(i == i) / 1][i] = b[i + -1 & 31] * t6 + (0.25 - g_a[4]) * ((double)2654435761u * c[i][tab_moves[16 & 7] & 31]);
        }
        else {
            if (t7 == 1) {
                g_a[sat((int)(i + 1 < i ? 7 : 4294967290u)) & 31] = c[i][i];
            }
            else {
                if (t7 == 2) {
                    double t9 = 0.5f * c[i >= 65535][tab_moves[0] + 2] - b[i + 1] * 3.0;
                }
                else {
                    int16_t t8 = -2;
                }
            }
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        if (!(15 != 1)) {
            c[i][i] *= fminf(c[i + 3][i], b[i] * 0.5f);
            g_a[i] = (b[255 + -2 & 31] + -1.5f - fminf(b[(4294967290u ^ 128) & 31], g_a[(long)100 & 31])) * 0.25;
        }
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    memcpy(g_a, p[0], sizeof g_a);
    kernel(s[0], s[1], s[2], p[1], p[2], p[3]);
    memcpy(p[0], g_a, sizeof g_a);
}
