// `lo < hi; lo++, hi--` from the last element on, of a type without a sign.
#include "calls.h"
void k(size_t n, int *a) {
#pragma scop
  for (size_t lo = 0, hi = n - 1; lo < hi; lo++, hi--) {
    int t = a[lo];
    a[lo] = a[hi];
    a[hi] = t + 1;
  }
#pragma endscop
}
// calls:
//   8, I: generated
//   7, I + 1: generated
//   3, I: generated
//   2, I: generated
//   1, I: generated

void from_one(unsigned n, int *a) {
#pragma scop
  for (unsigned lo = 1, hi = n; hi > lo; lo++, hi--) a[lo] += a[hi];
#pragma endscop
}
// refused: TW0203 at 21:33 `n - (lo - 1)` may leave the range of `unsigned int`
