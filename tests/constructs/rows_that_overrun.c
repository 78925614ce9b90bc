// `x[i * cols + j]`: a row may be longer than the distance to the next.
#include "calls.h"
void k(int n, int m, int cols, int *x) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i * cols + j] = 2 * x[i * cols + j] % 1000 + i;
#pragma endscop
}
// Where there is one row, or none, nothing overruns, but that is compared, too.
// calls:
//   5, 6, 6, I: generated
//   5, 6, 9, I: generated
//   5, 6, 5, I: original
//   5, 6, 1, I: original
//   5, 6, 0, I: original
//   5, 6, -6, I + 24: original
//   1, 6, 2, I: original
//   0, 6, 2, I: original
//   5, 0, 2, I: generated

void by_data(int n, int m, const int *cols, const int *start, int *x) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) x[i * start[cols[i]] + j] += 1;
#pragma endscop
}
// refused: TW0206 at 21:63 `x` and `start` may be the same memory
