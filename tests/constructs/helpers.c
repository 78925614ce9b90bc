// `scale(m, &a[i * m], f)`, `swap(a + i, &b[i])`: functions that get rows and places.
#include "calls.h"
#include <stdlib.h>
static void scale(int m, int *row, int f) {
  for (int j = 0; j < m; j++) row[j] = row[j] * f % 1009;
}
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
void k(int n, int m, int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    scale(m, &a[i * m], i + 2);
    swap(a + i * m, &b[i]);
  }
#pragma endscop
}
// calls:
//   5, 6, I, I + 30: generated
//   5, 6, I + 5, I: generated
//   5, 6, I, I + 29: original
//   5, 6, I + 4, I: original
//   5, 6, I, I: original
//   5, 1, I, I + 5: generated
//   5, 0, I, I + 5: original
//   0, 6, I, I: generated
//   -2, 6, I, I: generated

static int depth(const int *a, int i) { return a[i] > i ? 1 + depth(a, a[i]) : 0; }
void with_one_that_calls_itself(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = depth(a, i);
#pragma endscop
}
// refused: TW0205 at 34:38 `depth`

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void with_one_of_the_library(int n, int m, int *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++) qsort(a + i * m, m, sizeof *a, order);
#pragma endscop
}
// refused: TW0205 at 42:31 `qsort` may have side effects
