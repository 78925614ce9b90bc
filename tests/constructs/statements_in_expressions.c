// `({ … })`: macros that look at their arguments once.
#include "calls.h"
#define MAX(a, b) ({ typeof(a) a_ = (a); typeof(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SUM(a, n) ({ int s_ = 0; for (int i_ = 0; i_ < (n); i_++) s_ += (a)[i_]; s_; })
void k(int n, int m, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < MAX(n, m); i++) b[i] = MAX(a[i] * 2, SUM(a + i, 4) / 3);
#pragma endscop
}
// calls:
//   20, 0, I, I + 23: generated
//   20, 0, I, I + 22: original
//   0, 20, I, I + 23: generated
//   10, 20, I, I + 22: original
//   20, 10, I + 20, I: generated
//   20, 10, I + 19, I: original
//   0, 0, I, I: generated
//   -1, -2, I, I: generated

void that_are_not_always_reached(int n, int most, const int *restrict a, int *restrict b) {
  int m = 0;
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] > 0 && ({ m++; m <= most; });
#pragma endscop
}
// refused: TW0208 at 23:51 statement expression inside the region
