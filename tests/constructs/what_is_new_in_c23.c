// `[[maybe_unused]]`, `0b1111`, `= {}` and parameters without names: what is new in C23.
#include "calls.h"
void k(int n, const int *a, int *b, [[maybe_unused]] int) {
#pragma scop
  for (int i = 0; i < n; i++) {
    _Static_assert(sizeof(int) == 4);
    [[maybe_unused]] const typeof(*a) low = a[i] & 0b1111;
    int w[3] = {};
    w[i % 3] = low;
    b[i] = w[0] + 2 * w[1] + 3 * w[2];
  }
#pragma endscop
}
// calls:
//   30, I, I + 30, 0: generated
//   30, I, I + 29, 0: original
//   30, I + 30, I, 0: generated
//   30, I + 29, I, 0: original
//   0, I, I, 0: generated

void labels_at_the_end(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) goto next;
    b[i] = a[i];
  next:
  }
#pragma endscop
}
// warned: nothing
