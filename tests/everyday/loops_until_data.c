/* Loops inside of others that go on until data says so. */
#include <stdio.h>
#include <string.h>
static FILE *text(const char *s) { FILE *f = tmpfile(); fputs(s, f); rewind(f); return f; }
/* How long lines are. */
static void words(FILE *f, int rows, int *restrict lens) {
#pragma scop
  for (int r = 0; r < rows; r++) {
    int c, n = 0;
    while ((c = fgetc(f)) != EOF && c != '\n') n++;
    lens[r] = n;
  }
#pragma endscop
}
static int sums(FILE *f, int rows, char *restrict line, int *restrict o) {
  int seen = 0;
#pragma scop
  for (int r = 0; r < rows; r++) {
    if (fgets(line, 32, f) == NULL) o[r] = -1;
    else { o[r] = line[0]; seen++; }
  }
#pragma endscop
  return seen;
}
static void iters(int n, const double *restrict cr, int *restrict it) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double x = 0, y = 0; int k = 0;
    for (;;) {
      double t = x * x - y * y + cr[i];
      y = 2 * x * y + 0.1; x = t;
      if (x * x + y * y > 4) break;
      if (++k == 100) break;
    }
    it[i] = k;
  }
#pragma endscop
}
static void newton(int n, const double *restrict a, double *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double x = a[i], d;
    do { d = (x * x - a[i]) / (2 * x + 1e-9); x -= d; } while (d > 1e-6 || d < -1e-6);
    o[i] = x;
  }
#pragma endscop
}
static void collatz(int n, int *restrict o) {
#pragma scop
  for (int i = 1; i <= n; i++) {
    unsigned v = i; int steps = 0;
    while (v != 1) { v = v % 2 ? 3 * v + 1 : v / 2; steps++; }
    o[i] = steps;
  }
#pragma endscop
}
static void digits(int n, int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int v = i * 37, s = 0, d;
    while ((d = v % 10) != 0 || v > 0) { s += d; v /= 10; }
    o[i] = s;
  }
#pragma endscop
}
static void weighted(int n, const int *restrict x, int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 0, k = i;
    for (;;) { for (int j = 0; j < 3; j++) s += x[j] + 1; if (s > 60) break; k++; }
    o[i] = s + k;
  }
#pragma endscop
}
static void nested(int n, int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    unsigned s = i, m;
    do { m = 3; while (m--) s = s * 3 + m; for (int q = 2; q > 0; q--) s ^= q; } while (s % 7);
    o[i] = s;
  }
#pragma endscop
}
static int gcds(int n, const unsigned *restrict a, unsigned *restrict g) {
  int total = 0;
#pragma scop
  for (int i = 0; i + 1 < n; i++) {
    unsigned p = a[i], q = a[i + 1], t;
    while ((t = p % q)) { p = q; q = t; }
    g[i] = q;
    total += q;
  }
#pragma endscop
  return total;
}
int main(void) {
  int o[300] = {0}; char line[64]; double a[100], b[100]; unsigned u[100], g[100] = {0};
  FILE *f = text("hello world\nsecond line\n\nfourth");
  words(f, 6, o); for (int i = 0; i < 6; i++) printf("%d ", o[i]);
  rewind(f); printf("%d\n", sums(f, 6, line, o)); for (int i = 0; i < 6; i++) printf("%d ", o[i]);
  for (int i = 0; i < 100; i++) { a[i] = i / 50.0 - 1; u[i] = i * 12 + 8; }
  iters(100, a, o); unsigned h = 0; for (int i = 0; i < 100; i++) h = h * 31 + o[i];
  for (int i = 0; i < 100; i++) a[i] = i + 1;
  newton(100, a, b); double s = 0; for (int i = 0; i < 100; i++) s = s * 1.01 + b[i];
  printf("%u %.9f\n", h, s);
  collatz(200, o); for (int i = 0; i < 100; i++) h = h * 31 + o[i];
  digits(200, o); for (int i = 0; i < 100; i++) h = h * 31 + o[i];
  weighted(100, o + 100, o); for (int i = 0; i < 100; i++) h = h * 31 + o[i];
  for (int i = 0; i < 100; i++) o[i] = 0;
  printf("%u\n", h);
  nested(40, o); for (int i = 0; i < 40; i++) h = h * 31 + o[i];
  printf("%d\n", gcds(100, u, g));
  for (int i = 0; i < 100; i++) h = h * 31 + g[i];
  printf("%u\n", h);
  return 0;
}
