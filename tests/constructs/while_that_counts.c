// `while (i < n) { … i += 2; }`: a loop that counts.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  int i = 0;
  while (i < n) {
    b[i] = a[i] + i;
    i += 2;
  }
#pragma endscop
}
// calls:
//   31, I, I + 31: generated
//   30, I, I + 29: generated
//   31, I, I + 30: original
//   31, I + 31, I: generated
//   31, I + 30, I: original
//   31, I, I: original
//   0, I, I: generated
//   -7, I, I: generated

void by_data(int n, const int *step, const int *a, int *b) {
#pragma scop
  int i = 0;
  while (i < n) {
    b[i] = a[i];
    i += step[i];
  }
#pragma endscop
}
// refused: TW0206 at 22:52 `b` and `a` may be the same memory

// The loop inside is taken.
void around_a_loop(int n, int m, const int *restrict step, const int *restrict a, int *restrict b) {
#pragma scop
  int i = 0;
  while (i < n) {
    for (int j = 0; j < m; j++) b[j] += a[j] * i;
    i += step[i];
  }
#pragma endscop
}
// warned: TW0212 at 37:10 when the `while` loop ends is known only in the iteration that ends it
