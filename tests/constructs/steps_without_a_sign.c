// `i += step` without a sign, which may wrap around.
#include "calls.h"
void k(unsigned n, unsigned step, const int *a, int *b) {
#pragma scop
  for (unsigned i = 0; i < n; i += step) b[i] = a[i] * 3;
#pragma endscop
}
// calls:
//   28, 7, I, I + 28: generated
//   28, 7, I + 28, I: generated
//   28, 7, I, I + 27: original
//   30, 0x80000000, I, I + 30: original
//   30, -1, I, I + 30: original
//   0x80000001, 0x80000001, I, I + 30: original
//   0, 7, I, I: generated
//   0, 0, I, I: original
//   0, -1, I, I: original
