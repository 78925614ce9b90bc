// `do { … } while (++i < n);`: a loop that counts, with one turn at least.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  int i = 0;
  do {
    b[i] = a[i] + i;
  } while (++i < n);
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   1, I, I + 1: generated
//   30, I, I + 29: original
//   30, I, I: original
//   0, I, I + 1: original
//   0, I, I: original
//   -4, I, I + 1: original

void until_data_says_so(const int *a, int *b) {
#pragma scop
  int i = 0;
  do b[i] = a[i];
  while (a[i++] != 0);
#pragma endscop
}
// refused: TW0206 at 21:39 `b` and `a` may be the same memory

// The loop inside is taken.
void around_a_loop(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  int i = 0;
  do {
    for (int j = 0; j < m; j++) b[j] += a[j] * i;
  } while (a[i++] < n);
#pragma endscop
}
// warned: TW0202 at 34:3 a `while` loop inside the region
