// `continue`: what follows is for some turns only.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 100) continue;
    b[i] = a[i] * 2;
  }
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I + 1, I: original
//   30, I, I: original
//   0, I, I: generated
//   -1, I, I: generated

void in_one_way_of_two(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 100) {
      b[i] = 0;
      if (a[i] < 50) continue;
    }
    b[i] += a[i];
  }
#pragma endscop
}
// warned: nothing
