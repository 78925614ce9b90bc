#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static inline float tap(const float *k, int i) { return k != NULL ? k[i] : 1.0f; }
typedef struct { int w, h; const uint8_t *mask; float *out; } job;

void layer(float *out, const float *in, const float *w, const float *bias, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float s = bias ? bias[i] : 0.0f;
        for (int j = 0; j < m; j++)
            s += w[i * m + j] * in[j];
        out[i] = s;
    }
#pragma endscop
}
void mean(const float *x, const uint8_t *mask, float *out, int rows, int cols)
{
#pragma scop
    for (int i = 0; i < rows; i++) {
        float s = 0; int c = 0;
        for (int j = 0; j < cols; j++) {
            if (mask && !mask[i * cols + j]) continue;
            s += x[i * cols + j]; c++;
        }
        out[i] = c ? s / c : 0;
    }
#pragma endscop
}
void filter(const float *x, float *y, const float *k, int n)
{
#pragma scop
    for (int i = 2; i < n - 2; i++) {
        y[i] = 0;
        for (int j = -2; j <= 2; j++)
            y[i] += x[i + j] * tap(k, j + 2);
    }
#pragma endscop
}
void plain(const float *x, float *y, int n)
{
#pragma scop
    for (int i = 2; i < n - 2; i++) {
        y[i] = 0;
        for (int j = -2; j <= 2; j++)
            y[i] += x[i + j] * tap(NULL, j + 2);
    }
#pragma endscop
}
int count(const int *a, int *hits, int n, int lim)
{
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] > lim) {
            if (hits)
                hits[c] = i;
            c++;
        }
#pragma endscop
    return c;
}
void both(float *re, float *im, const float *win, int n)
{
#pragma scop
    if (win != NULL) {
        for (int i = 0; i < n; i++) re[i] *= win[i];
        if (im)
            for (int i = 0; i < n; i++) im[i] *= win[i];
    } else if (im == NULL) {
        for (int i = 0; i < n; i++) re[i] += 1;
    }
#pragma endscop
}
void masked(job *j)
{
#pragma scop
    for (int y = 0; y < j->h; y++)
        for (int x = 0; x < j->w; x++)
            if (!j->mask || j->mask[y * j->w + x])
                j->out[y * j->w + x] *= 2;
#pragma endscop
}
int first(const char *s, char **where)
{
    int n = 0;
#pragma scop
    for (int i = 0; i < 10; i++)
        if (where != 0 && s[i] == 'x') n++;
#pragma endscop
    return n;
}
#define N 24
int main(void)
{
    static float in[N], w[N * N], b[N], out[N], y[N * N], k[5] = {1, 2, 3, 2, 1}; static uint8_t mask[N * N]; static int a[N], hits[N];
    unsigned r = 7;
    for (int i = 0; i < N * N; i++) { r = r * 1664525u + 1013904223u; w[i] = (r >> 20) % 50; y[i] = (r >> 24) % 9; mask[i] = r >> 31; }
    for (int i = 0; i < N; i++) in[i] = w[i + 7], b[i] = w[3 * i], a[i] = w[5 * i];
    layer(out, in, w, b, N, N); for (int i = 0; i < N; i++) printf("%g ", out[i]); puts("");
    layer(out, in, w, NULL, N, N); for (int i = 0; i < N; i++) printf("%g ", out[i]); puts("");
    layer(out, in, w, out, N, N); for (int i = 0; i < N; i++) printf("%g ", out[i]); puts("");
    mean(w, mask, out, N, N); for (int i = 0; i < N; i++) printf("%g ", out[i]); puts("");
    mean(w, NULL, out, N, N); for (int i = 0; i < N; i++) printf("%g ", out[i]); puts("");
    filter(w, y, k, N * N); for (int i = 0; i < 40; i++) printf("%g ", y[i]); puts("");
    filter(w, y, NULL, N * N); for (int i = 0; i < 40; i++) printf("%g ", y[i]); puts("");
    plain(w, y, N * N); for (int i = 0; i < 40; i++) printf("%g ", y[i]); puts("");
    printf("%d\n", count(a, NULL, N, 20)); printf("%d\n", count(a, hits, N, 20)); for (int i = 0; i < N; i++) printf("%d ", hits[i]); puts("");
    both(in, NULL, NULL, N); both(in, b, k, 5); both(in, NULL, w, N); both(in, in + 3, w, N - 3); both(in, b, NULL, N); for (int i = 0; i < N; i++) printf("%g ", in[i] + 2 * b[i]); puts("");
    job j = {N, N, mask, y}; masked(&j); j.mask = NULL; masked(&j); for (int i = 0; i < 40; i++) printf("%g ", y[i]); puts("");
    char *q; printf("%d %d\n", first("axbxxxxxxxx", NULL), first("axbxxxxxxxx", &q));
    return 0;
}
