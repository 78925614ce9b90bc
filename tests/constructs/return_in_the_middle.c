// `return` in a loop: then nothing behind the region is executed.
#include "calls.h"
void k(int n, int x, const int *a, int *b, int *at) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] + a[n - 1 - i];
  for (int i = 0; i < n; i++)
    if (b[i] == x) return;
#pragma endscop
  *at = -x;
}
// calls:
//   30, 10000, I, I + 30, I + 100: generated
//   30, I[0] + I[29], I, I + 30, I + 100: generated
//   30, I[3] + I[26], I, I + 30, I + 30: generated
//   30, I[3] + I[26], I + 30, I, I: generated
//   30, 10000, I, I + 29, I + 100: original
//   30, I[3] + I[26], I, I + 29, I + 100: original
//   30, 0, I, I, I + 100: original
//   0, 7, I, I, I: generated

const int *of_a_place(int n, int x, const int *a) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (a[i] == x) return &a[i];
#pragma endscop
  return 0;
}
// refused: TW0201 at 24:20 `return` inside the region

// The loop inside is taken.
int with_a_loop_inside(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) return i;
    for (int j = 0; j < m; j++) b[j] += a[i];
  }
#pragma endscop
  return n;
}
// warned: TW0201 at 34:19 `return` inside the region
