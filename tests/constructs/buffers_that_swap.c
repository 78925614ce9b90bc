// `int *t = a; a = b; b = t;`: buffers that are swapped behind each time step.
#include "calls.h"
void k(int steps, int n, int *a, int *b, int *last) {
#pragma scop
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    int *t = a;
    a = b;
    b = t;
  }
#pragma endscop
  *last = a[n / 2];
}
// calls:
//   4, 30, I, I + 30, I + 100: generated
//   5, 30, I + 30, I, I + 100: generated
//   1, 30, I, I + 30, I + 100: generated
//   4, 30, I, I + 28, I + 100: original
//   4, 30, I, I + 1, I + 100: original
//   4, 30, I, I, I + 100: original
//   3, 2, I, I, I + 100: generated
//   3, 0, I, I + 1, I + 100: generated
//   0, 30, I, I + 1, I + 100: generated

// The loop inside is taken.
void at_times(int steps, int n, const int *restrict swaps, int *restrict a, int *restrict b) {
#pragma scop
  for (int s = 0; s < steps; s++) {
    for (int i = 1; i < n - 1; i++) b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
    if (swaps[s]) {
      int *t = a;
      a = b;
      b = t;
    }
  }
#pragma endscop
}
// warned: TW0210 at 32:7 the pointer `a` changes inside the region

void row_by_row(int n, const int *swaps, int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = a[i];
    if (swaps[i]) {
      int *t = a;
      a = b;
      b = t;
    }
  }
#pragma endscop
}
// refused: TW0210 at 46:7 the pointer `a` changes inside the region
