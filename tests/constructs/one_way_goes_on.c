// A branch of which one way is left by `continue`, `goto` or `return`, and another goes on: a variable
// says which.
#include "calls.h"
static int sorted_in(int x, int *most) {
  if (x > 100) {
    *most += 1;
    if (x > 200) return 3;
    *most += x;
  }
  if (x & 1) {
    if (x & 2) return 4;
    if (x & 4) *most = 0;
  } else if (x & 8)
    return 5;
  return x;
}
void k(int n, const int *a, int *b, int *most) {
#pragma scop
  for (int i = 0; i < n; i++) {
    most[i] = 0;
    int kind = sorted_in(a[i], &most[i]);
    b[i] = kind;
    if (kind < 5) {
      b[i] += 10;
      if (kind == 3) continue;
      if (a[i] > 120) {
        b[i] += 3;
        if (a[i] & 4) goto done;
      }
      b[i] += 20;
    } else if (a[i] < 50)
      continue;
    b[i] += 100;
  done:
    most[i] += b[i];
  }
#pragma endscop
}
// calls:
//   60, I, I + 100, I + 200: generated
//   60, I + 200, I + 100, I: generated
//   60, I, I + 59, I + 200: original
//   60, I, I + 100, I + 130: original
//   0, I, I, I: generated
