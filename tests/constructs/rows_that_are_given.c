// `a[i * m + j]` where `i` is no loop's: one row, wherever it is.
#define NUMBER float
#include "calls.h"
void k(int i, int m, float *a, const float *b) {
#pragma scop
  for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j + m] + b[i * m + j];
#pragma endscop
}
// calls:
//   0, 30, F, F + 60: generated
//   2, 30, F, F + 300: generated
//   2, 30, F + 90, F: generated
//   0, 30, F, F + 29: original
//   2, 30, F + 30, F: generated
//   2, 30, F, F + 10: original
//   3, 0, F, F: generated
//   -1, 10, F + 20, F + 100: generated

// Rows of another length than what is touched of them.
void above(int i, int m, int s, float *restrict a) {
#pragma scop
  for (int j = 0; j < m; j++) a[i * s + j] += a[(i - 1) * s + j];
#pragma endscop
}
// warned: nothing
