// `twice(x) { … }`: what has no type is an `int`, and functions are called before they are declared.
#include "calls.h"
twice(x) { return 2 * x; }
void k(n, a, b) const int *a; int *b; {
#pragma scop
  for (register i = 0; i < n; i++) b[i] = twice(a[i]) + later(i);
#pragma endscop
}
int later(int x) { return x * 3; }
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   30, I, I: original
//   0, I, I: generated

static void from_elsewhere(int n, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = unknown(i);
#pragma endscop
}
// refused: TW0205 at 18:38 `unknown` may have side effects
