// `*p++ = *q++`: pointers that move along.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) *b++ = *a++ * 3;
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   30, I + 1, I: original
//   0, I, I: generated

void through_calls(int n, const int *restrict a, int *restrict b, int *(*next)(int *)) {
#pragma scop
  for (int i = 0; i < n; i++) {
    *b = a[i];
    b = next(b);
  }
#pragma endscop
}
// refused: TW0210 at 18:5 the pointer `b` changes inside the region
