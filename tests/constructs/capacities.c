// `if (i >= 40) leave();`: more than that many are a mistake.
#include "calls.h"
void k(int m, int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = m; i < n; i++) {
    if (i >= 40) leave();
    b[i] = a[i] * 3;
  }
#pragma endscop
}
// calls:
//   0, 30, I, I + 100: generated
//   3, 40, I, I + 100: generated
//   9, 9, I, I + 100: generated
//   0, 41, I, I + 100: original
//   50, 60, I, I + 100: original
//   50, 40, I, I + 100: generated

void of_data(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] >= 40) leave();
    b[a[i]] = i;
  }
#pragma endscop
}
// refused: TW0205 at 22:21 whether it is called depends on data
