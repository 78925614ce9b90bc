// `while (j < m && a[j] != x)`: how far each row goes is data.
#include "calls.h"
void k(int n, int m, int x, const int *a, int *length) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < m && a[i * m + j] != x) j++;
    length[i] = j;
  }
#pragma endscop
}
// calls:
//   5, 6, I[8], I, I + 30: generated
//   5, 6, I[8], I + 5, I: generated
//   5, 6, I[8], I, I + 29: original
//   5, 6, I[8], I + 4, I: original
//   5, 6, 5, I, I: original
//   5, 0, 7, I, I: generated
//   0, 6, 7, I, I: generated

void copied_by_its_condition(const char *restrict from, char *restrict to) {
#pragma scop
  while ((*to++ = *from++) != 0);
#pragma endscop
}
// refused: TW0208 at 23:10 `*to++` is changed in the middle of an expression

// The loop inside is taken.
void around_a_loop(int n, int limit, int *restrict a) {
#pragma scop
  while (a[0] < limit) {
    for (int i = 0; i < n; i++) a[i] += a[i] / 2 + 1;
  }
#pragma endscop
}
// warned: TW0212 at 31:10 when the `while` loop ends is known only in the iteration that ends it
