// `static`: variables of a function that keep what they hold.
#include "calls.h"
void k(int n, const int *a, int *b) {
  static int old[64], calls;
  calls++;
#pragma scop
  for (int i = 0; i < n; i++) {
    static const int w[3] = { 1, 2, 1 };
    b[i] = a[i] * w[i % 3] + old[i] + calls;
    old[i] = a[i];
  }
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   64, I + 64, I: generated
//   64, I + 63, I: original
//   64, I, I + 100: generated
//   0, I, I: generated

void inside(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    static int last;
    b[i] = a[i] - last;
    last = a[i];
  }
#pragma endscop
}
// refused: TW0207 at 25:16 `last` is static and declared inside the region

void that_are_bounds(const int *restrict a, int *restrict b) {
  static int top;
  top += 7;
#pragma scop
  for (int i = 0; i < top; i++) {
    b[i] = a[i];
    if (a[i] > 7) top--;
  }
#pragma endscop
}
// refused: TW0212 at 37:23 changes its own bound
