// `i -= step`: down by a variable.
#include "calls.h"
void k(int n, int step, const int *a, int *b) {
#pragma scop
  for (int i = n - 1; i >= 0; i -= step) b[i] = a[n - 1 - i] + i;
#pragma endscop
}
// Of `a` the last step counts as a whole.
// calls:
//   30, 1, I, I + 30: generated
//   28, 7, I, I + 28: generated
//   30, 7, I, I + 34: generated
//   30, 7, I, I + 33: original
//   30, 7, I + 30, I: generated
//   30, 7, I + 29, I: original
//   30, 7, I, I: original
//   30, 30, I, I + 30: generated
//   0, 7, I, I: generated
//   0, 0, I, I: original
//   -3, -7, I, I: original

void checked(int n, int step, int *restrict a) {
#pragma scop
  for (int i = n - 1; i >= 0; i -= step) {
    if (i >= n) leave();
    a[i] = a[i] * 2 + i;
  }
#pragma endscop
}
// refused: TW0205 at 25:17 `leave` may be called in the region
