// With `--auto`, loops of functions without marks are regions: from one loop to another, and what of that
// can be modelled where not all of it can. Functions with marks keep these.
#include <stdio.h>
void report(double sum);
void all(int n, double *restrict a, const double *restrict b) {
  int i;
  for (i = 0; i < n; i++) a[i] = 2 * b[i];
  a[0] = 1;
  for (i = 0; i < n; i++) a[i] += b[n - 1 - i] * a[i];
  printf("%d\n", n);
}
void parts(int n, int m, double a[n][m], const double *restrict b) {
  for (int t = 0; t < n; t++) {
    double sum = 0;
    for (int j = 0; j < m; j++) a[t][j] = b[j] * b[j] - 1 / b[j];
    report(sum);
  }
}
void marked(int n, float *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++) a[i] = b[i];
#pragma scop
  for (int i = 0; i < n; i++) a[i] += b[i] / 3;
#pragma endscop
}
void ready(int n, float *restrict a, const float *restrict b) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) a[i] = b[i] + 3;
}
// compile: --auto
// code contains: region 0 of all
// code contains: region 1 of parts
// code contains: region 2 of marked
// code lacks: region 3 of
