// `lo < hi--`: two ends come towards each other, of a type without a sign.
#include "calls.h"
void k(size_t n, int *a) {
#pragma scop
  for (size_t lo = 0, hi = n; lo < hi--; lo++) {
    int t = a[lo];
    a[lo] = a[hi];
    a[hi] = t;
  }
#pragma endscop
}
// calls:
//   8, I: generated
//   7, I + 1: generated
//   3, I: generated
//   2, I: generated
//   1, I: generated
//   0, I: generated

void from_the_last_of_a_part(size_t first, size_t n, int *a) {
#pragma scop
  for (size_t lo = first, hi = n - 1; lo < hi; lo++, hi--) {
    int t = a[lo];
    a[lo] = a[hi];
    a[hi] = t;
  }
#pragma endscop
}
// refused: TW0203 at 22:44 `n - 1 - (lo - first)` may leave the range of `unsigned long`

void between_parameters(int lo, int hi, int *a) {
#pragma scop
  while (lo < hi) {
    int t = a[lo];
    a[lo++] = a[hi];
    a[hi--] = t;
  }
#pragma endscop
}
// refused: TW0212 at 33:10 changes its own bound
