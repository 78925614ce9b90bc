#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void gather(float *restrict out, const float *restrict in, const int *restrict idx, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = idx ? in[idx[i]] : in[i];
#pragma endscop
}
void scat(float *restrict out, const float *restrict in, const int *restrict idx, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i;
        if (idx) k = idx[i];
        out[k] += in[i];
    }
#pragma endscop
}
void rows(float *restrict out, const float *restrict in, const int *restrict start, const float *restrict scale, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        if (start != NULL)
            for (int k = start[i]; k < start[i + 1]; k++)
                out[i] += in[k] * (scale ? scale[k] : 1);
    }
#pragma endscop
}
void hist(const unsigned char *restrict a, int *restrict h, const int *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        h[a[i]] += w ? w[a[i]] : 1;
#pragma endscop
}
void mat(float *restrict c, const float *restrict a, const float *restrict b, const float *restrict d, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j] + (d ? d[i] : 0);
            if (d) s *= d[j];
            c[i * n + j] = s;
        }
#pragma endscop
}
void steps(float *restrict a, float *restrict b, const float *restrict src, int n, int t)
{
#pragma scop
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.25f * (a[i - 1] + 2 * a[i] + a[i + 1]) + (src != NULL ? src[i] : 0);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
#pragma endscop
}
void norm(float *x, float *mean, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++) s += x[i * m + j];
        s /= m;
        if (mean != NULL) mean[i] = s;
        for (int j = 0; j < m; j++) x[i * m + j] -= s;
    }
#pragma endscop
}
void acc(float *restrict sum, const float *restrict x, int n, int m)
{
#pragma scop
    if (sum)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                sum[i] += x[j];
                sum[0] += 1;
            }
#pragma endscop
}
void two(float *a, float *b, int n)
{
    float *q = a;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (q) q[i] += 1;
        if (b && a != 0) b[i] += a[i];
        if (!(a || b)) continue;
        if (!!a == 1 && !b) a[i] *= 2;
    }
#pragma endscop
}
#define N 40
int main(void)
{
    static float in[N * N], out[N * N], x[N * N]; static int idx[N + 1], h[256]; static unsigned char c[N];
    for (int i = 0; i < N * N; i++) in[i] = (i * 7) % 31, x[i] = (i * 5) % 17;
    for (int i = 0; i < N; i++) idx[i] = (i * 11) % N, c[i] = (i * i) % 13;
    gather(out, in, idx, N); gather(out + N, in, NULL, N); scat(out, in, idx, N); scat(out, in, NULL, N);
    for (int i = 0; i <= N; i++) idx[i] = i * 3;
    rows(out + 2 * N, in, idx, x, N); rows(out + 3 * N, in, idx, NULL, N); rows(out + 4 * N, in, NULL, NULL, N); rows(out + 5 * N, in, NULL, x, N);
    hist(c, h, idx, N); hist(c, h, NULL, N);
    mat(x, in, in, NULL, 20); for (int i = 0; i < 400; i++) out[i + 10] += x[i]; mat(x, in, in, in + 50, 20); for (int i = 0; i < 400; i++) out[i + 10] += x[i];
    steps(in, x, NULL, N, 7); steps(in, x, out, N, 7); steps(in, x, in + N, N, 7);
    norm(out, NULL, 10, 10); norm(out, x, 10, 10); norm(out, out + 5, 10, 10);
    acc(out, in, 20, 20); acc(NULL, in, 20, 20); two(out, x, N); two(NULL, x, N); two(out, NULL, N); two(NULL, NULL, N); two(out, out + 3, N);
    for (int i = 0; i < N * N; i++) { printf("%g %g %g ", in[i], out[i], x[i]); if (i % 40 == 0) puts(""); }
    for (int i = 0; i < 256; i++) printf("%d ", h[i]);
    puts("");
    return 0;
}
