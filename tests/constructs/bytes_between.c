// `memset` and `memcpy` over `long double`: assignments would leave the bytes between two of them.
#include "calls.h"
void cleared(int n, long double *b) {
#pragma scop
  memset(b, 0, n * sizeof *b);
#pragma endscop
}
// refused: TW0205 at 5:3 `memset`

void copied(int n, const long double *restrict a, long double *restrict b) {
#pragma scop
  memcpy(b, a, n * sizeof *b);
#pragma endscop
}
// refused: TW0205 at 12:3 `memcpy`

void k(int n, double *b) {
#pragma scop
  memset(b, 0, n * sizeof *b);
  for (int i = 0; i < n; i++) b[i] += i;
#pragma endscop
}
// calls:
//   40, D: generated
//   0, D: generated
