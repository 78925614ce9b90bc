/* Loops inside of others that end when their turns say so: in one step where nothing but variables of that changes. */
#include <stdio.h>
static void solve(int steps, int n, double *restrict a, double tol) {
#pragma scop
  for (int t = 0; t < steps; t++) {
    double err;
    do {
      err = 0;
      for (int i = 1; i < n - 1; i++) { double d = a[i]; err += d * d; }
      for (int i = 1; i < n - 1; i++) a[i] = a[i] * 0.5;
    } while (err > tol);
    a[t + 1] += 1;
  }
#pragma endscop
}
static int best(int n, int m, const int *restrict x, int *restrict o) {
  int most = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    int k = 0, s;
    for (;;) { s = 0; for (int j = 0; j < m; j++) s += x[j] > k; if (s <= i) break; k += 2; }
    o[i] = k;
    most = k > most ? k : most;
  }
#pragma endscop
  return most;
}
int main(void) { double a[200]; int x[64], o[70]; for (int i = 0; i < 200; i++) a[i] = i % 9; for (int i = 0; i < 64; i++) x[i] = i * 7 % 61;
  solve(5, 200, a, 1e-3); double s = 0; for (int i = 0; i < 200; i++) s = s * 0.9 + a[i];
  printf("%.9f\n%d\n", s, best(64, 64, x, o)); unsigned h = 0; for (int i = 0; i < 64; i++) h = h * 31 + o[i]; printf("%u\n", h); return 0; }
