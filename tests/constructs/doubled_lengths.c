// `len *= 2`: a loop whose step is no number, inside of one that counts.
#include "calls.h"
void k(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int len = 1; len < m; len *= 2) s += a[i + len];
    b[i] = s;
  }
#pragma endscop
}
// calls:
//   20, 9, I, I + 28: generated
//   20, 9, I + 20, I: generated
//   1, 9, I, I + 9: generated
//   20, 1, I, I: generated
//   20, -1, I, I: generated
//   0, 9, I, I: generated

// How far such a loop reaches is not known.
void without_a_promise(int n, const int *a, int *b) {
#pragma scop
  for (int len = 1; len < n; len *= 2) b[len] = a[n - len];
#pragma endscop
}
// refused: TW0206 at 21:45 `b` and `a` may be the same memory

// The loop inside is taken.
void around_a_loop(int n, int *restrict a) {
#pragma scop
  for (int len = 1; len < n; len *= 2)
    for (int i = 0; i < n - len; i++) a[i] += a[i + len];
#pragma endscop
}
// warned: TW0202 at 31:30 the loop does not change `len` by a constant
