// `for (i = n; i-- > 0;)`: down to zero, also without a sign.
#include "calls.h"
void k(size_t n, const int *a, int *b) {
#pragma scop
  for (size_t i = n; i-- > 0;) b[i] = a[n - 1 - i] + a[i];
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I + 29, I: original
//   30, I, I: original
//   1, I, I + 1: generated
//   0, I, I: generated

void and_further_by_data(size_t n, const int *restrict step, const int *restrict a, int *restrict b) {
#pragma scop
  for (size_t i = n; i-- > 0;) {
    b[i] = a[i];
    i -= step[i];
  }
#pragma endscop
}
// refused: TW0202 at 21:5 the loop variable `i` is assigned in the region

unsigned what_is_left_of_n(unsigned n, int *a) {
#pragma scop
  while (n-- > 1) a[n] += a[n - 1];
#pragma endscop
  return n;
}
// refused: TW0202 at 29:10 may leave the range of its type
