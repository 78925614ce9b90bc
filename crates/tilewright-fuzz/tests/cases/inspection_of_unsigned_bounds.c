// found: differs run 0 memory 1 element 1: 888 became 207
// seed: 4:110
// options: --fuse no
// memory: i32:-1000..1000 i32:-1000..1000 u64:0..24:sorted i32:0..23 f64:0..0
// run: 16 9 | 16 32 17 16 8 | 1000 1000 16 15 0
// run: 10 12 | 10 32 11 10 8 | 1000 1000 10 9 0
typedef unsigned long size_t;
extern void *memcpy(void *, const void *, size_t);
extern float fminf(float, float), fmaxf(float, float), fabsf(float), sqrtf(float), floorf(float);
extern double fmin(double, double), fmax(double, double), fabs(double), sqrt(double), exp(double);
int g_b[32];
void kernel(int n, size_t m, int *restrict a, const size_t *restrict row, const int *restrict idx, double *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            g_b[i + 1] = a[k > 0 ? k - 1 : 0] % 1000;
#pragma endscop
}
void entry(const long *s, void **p)
{
    memcpy(g_b, p[1], sizeof g_b);
    kernel(s[0], s[1], p[0], p[2], p[3], p[4]);
    memcpy(p[1], g_b, sizeof g_b);
}
