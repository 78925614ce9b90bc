/* Functions of an included file: of structures by value, of tables and variables whose names mean others
   where they are called, with loops, a switch and variables of the file. */
#include "vectors.h"
#include <stdio.h>
#include <string.h>
int factor = 3;
static unsigned long H;
static void mix(const void *p, size_t n) { const unsigned char *c = p; for (size_t i = 0; i < n; i++) H = (H ^ c[i]) * 1099511628211ul; }
static void f1(int n, v3 *p, const v3 *v, float dt) {
#pragma scop
  for (int i = 0; i < n; i++) p[i] = add3(p[i], scale3(v[i], dt));
#pragma endscop
}
static void f2(int n, const v3 *a, const v3 *b, float *out) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = dot3(&a[i], &b[n - 1 - i]);
#pragma endscop
}
static void f3(int n, int *a) {
  int factor = 7; /* another one */
#pragma scop
  for (int i = 0; i < n; i++) a[i] = times(a[i]) + factor;
#pragma endscop
}
static void f4(int n, const float *in, float *out) {
  float weights = 2;
#pragma scop
  for (int i = 0; i + 2 < n; i++) out[i] = weights * weighted(in + i);
#pragma endscop
}
static void f5(int h, int w, const uint8_t *in, uint8_t *out) {
#pragma scop
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    int s = 0;
    for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++)
      s += in[mirror(y + dy, h) * w + mirror(x + dx, w)] * (dy * dx - 1);
    out[y * w + x] = sat(s + 900);
  }
#pragma endscop
}
static void f6(int n, int *a) {
#pragma scop
  for (int i = 0; i < n; i++) a[pick(i, n)] += i;
#pragma endscop
}
static void f7(int n, int *a) {
#pragma scop
  for (int i = 0; i < n / 2; i++) swap_ints(&a[i], &a[n - 1 - i]);
#pragma endscop
}
static void f8(int n, int *a) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] += tick();
#pragma endscop
}
static void f9(int n, int m, double a[n][m], double *out) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = norm(m, a[i]);
#pragma endscop
}
static void f10(int n, int *a) {
#pragma scop
  for (int i = 0; i < n; i++) { factor = i; a[i] = times(a[i]) + tripled(i) + min(i, 5); }
#pragma endscop
}
static void f11(int n, int k, int *a) {
#pragma scop
  for (int i = 0; i < min(n, k); i++) a[i] += a[min(i + 4, n - 1)];
#pragma endscop
}
static void f12(int n, int *a, enum mode m) {
#pragma scop
  for (int i = 0; i < n; i++) if (m == SLOW) a[i] ^= mirror(i - 3, n); else a[i]++;
#pragma endscop
}
int main(void) {
  enum { N = 101 };
  static v3 p[N], v[N]; static int a[N]; static float f[N], g[N]; static uint8_t im[23 * 31], om[23 * 31]; static double d[9][11], o[9];
  for (int i = 0; i < N; i++) { p[i] = (v3){i, 2 * i % 7, i % 5}; v[i] = (v3){i % 3, i % 11, 1}; a[i] = i * 37 % 53; f[i] = i % 13; }
  for (int i = 0; i < 23 * 31; i++) im[i] = i * 73 % 251;
  for (int i = 0; i < 9; i++) for (int j = 0; j < 11; j++) d[i][j] = i - j * 0.5;
  f1(N, p, v, 0.5f); f1(N - 1, p + 1, p, 0.25f); mix(p, sizeof p); printf("%lu\n", H);
  f2(N, p, v, g); mix(g, sizeof g); printf("%lu\n", H);
  f3(N, a); mix(a, sizeof a); printf("%lu\n", H);
  f4(N, f, g); mix(g, sizeof g); f4(N - 1, f, f + 1); mix(f, sizeof f); printf("%lu\n", H);
  f5(23, 31, im, om); mix(om, sizeof om); f5(22, 31, om, om + 31); mix(om, sizeof om); printf("%lu\n", H);
  f6(N, a); mix(a, sizeof a); f7(N, a); mix(a, sizeof a); f8(N, a); mix(a, sizeof a); printf("%lu %d\n", H, counter);
  f9(9, 11, d, o); mix(o, sizeof o); printf("%lu\n", H);
  f10(N, a); mix(a, sizeof a); printf("%lu %d\n", H, factor);
  f11(N, 77, a); f11(0, 5, a); mix(a, sizeof a); f12(N, a, SLOW); f12(N, a, FAST); mix(a, sizeof a); printf("%lu\n", H);
  return 0;
}
