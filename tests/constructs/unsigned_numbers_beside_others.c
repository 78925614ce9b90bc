// `size_t i = from; i < n`: `size_t`, `unsigned` and `int` in the same loop.
#include "calls.h"
void k(unsigned n, int from, const int *a, int *b) {
#pragma scop
  for (size_t i = from; i < n; i++) b[i] = a[n - 1 - i] - (int)(n - i) / 2;
#pragma endscop
}
// calls:
//   30, 0, I, I + 30: generated
//   30, 0, I, I + 29: original
//   30, 5, I, I + 20: generated
//   30, 5, I, I + 19: original
//   30, -1, I, I + 30: original
//   30, 40, I, I + 30: generated
//   0, 0, I, I: generated
//   0, -7, I, I: original

void that_are_never_below_zero(unsigned n, int *b) {
#pragma scop
  for (unsigned i = n; i >= 0; i--) b[i] = 0;
#pragma endscop
}
// refused: TW0202 at 20:24 the loop variable `i` may leave the range of its type

void multiples(unsigned n, int *b) {
#pragma scop
  for (unsigned i = 0; 3 * i < n; i++) b[i] = 0;
#pragma endscop
}
// refused: TW0203 at 27:24 `3 * i` may leave the range of `unsigned int`
