// `b[2 * i] = …; b[2 * i + 1] = f(b[2 * i]);`: one statement of a stage reads what the other wrote.
#include "calls.h"
static int f(int x) { return x * 3 % 7; }
void k(int n, const int *a, int *b, int *c) {
#pragma scop
  for (int i = 0; i < n; i++) {
    b[2 * i] = a[i] - 1;
    b[2 * i + 1] = f(b[2 * i]);
  }
  for (int i = 0; i < 2 * n; i++) c[i] = b[i] - b[2 * n - 1 - i];
#pragma endscop
}
// calls:
//   20, I, I + 20, I + 60: generated
//   20, I, I + 19, I + 60: original
//   20, I, I + 20, I + 59: original
//   20, I + 40, I, I + 60: generated
//   20, I + 39, I, I + 60: original
//   20, I, I + 60, I + 20: generated
//   20, I, I + 60, I + 19: original
//   0, I, I, I: generated

int depth(int x) { return x <= 0 ? 0 : depth(x / 2) + 1; }
void with_a_function_that_calls_itself(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    b[2 * i] = a[i] - 1;
    b[2 * i + 1] = depth(b[2 * i]);
  }
#pragma endscop
}
// refused: TW0205 at 28:20 `depth` calls itself
