// `i += step`: by how much a loop goes on is a variable.
#include "calls.h"
void k(int n, int step, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i += step) b[i] = a[i] + 1;
#pragma endscop
}
// The last step counts as a whole.
// calls:
//   30, 1, I, I + 30: generated
//   30, 7, I, I + 35: generated
//   30, 7, I, I + 34: original
//   30, 7, I + 35, I: generated
//   30, 7, I + 28, I: original
//   30, 40, I, I + 40: generated
//   30, 7, I, I: original
//   0, 7, I, I: generated
//   0, 0, I, I: original
//   0, -1, I, I: original
//   -5, -7, I, I: original

void that_change(int n, int step, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i += step, step++) b[i] = a[i];
#pragma endscop
}
// refused: TW0206 at 22:49 `b` and `a` may be the same memory

// The loop inside is taken.
void that_change_around_a_loop(int n, int m, int step, int *restrict a) {
#pragma scop
  for (int i = 0; i < n; i += step) {
    for (int j = 0; j < m; j++) a[i] += a[j + n];
    step++;
  }
#pragma endscop
}
// warned: TW0202 at 32:26 the loop does not change `i` by a constant
