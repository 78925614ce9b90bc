// `goto` to a label behind the region: a variable says which, and the jump is behind the region.
#include "calls.h"
void k(int n, int limit, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = 2 * a[i];
  for (int i = 0; i < n; i++) {
    if (b[i] > limit) goto large;
    if (b[i] < 0) goto negative;
    b[i] += i;
  }
#pragma endscop
  b[n] = 1;
  return;
large:
  b[n] = 2;
negative:
  b[n + 1] = 3;
}
// calls:
//   30, 20, I, I + 30: generated
//   30, 5000, I, I + 30: generated
//   30, 5000, I + 30, I: generated
//   30, 5000, I, I + 29: original
//   0, 5000, I, I: generated
