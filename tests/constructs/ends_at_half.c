// `lo < n / 2`: one end goes to the middle, the other comes along, of a type without a sign.
#include "calls.h"
void k(size_t n, const int *a, int *b) {
#pragma scop
  for (size_t lo = 0, hi = n - 1; lo < n / 2; lo++, hi--) {
    b[lo] = a[hi] + 1;
    b[hi] = a[lo] + 2;
  }
#pragma endscop
}
// calls:
//   8, I, I + 8: generated
//   7, I, I + 7: generated
//   7, I, I + 6: original
//   7, I + 7, I: generated
//   7, I + 6, I: original
//   7, I, I: original
//   1, I, I: generated
//   0, I, I: generated

void of_an_end_that_moves(size_t n, int *a) {
  size_t hi = n - 1;
#pragma scop
  for (size_t lo = 0; lo < hi / 2; lo++, hi--) a[hi] = a[lo];
#pragma endscop
}
// refused: TW0202 at 24:36 the loop does not change `lo` by a constant
