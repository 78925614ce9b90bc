// `p = a - 1`: subscripts begin with one.
#include "calls.h"
void k(int n, const int *a, int *b) {
  const int *p = a - 1;
#pragma scop
  int *q = b - 1;
  for (int i = 1; i <= n; i++) q[i] = p[i] * 2 + i;
#pragma endscop
}
// calls:
//   30, I + 1, I + 31: generated
//   30, I + 1, I + 30: original
//   30, I + 31, I + 1: generated
//   30, I + 30, I + 1: original
//   30, I + 1, I + 1: original
//   0, I + 1, I + 1: generated

void that_data_moves(int n, int *restrict a, const int *restrict at) {
#pragma scop
  int *p = a - 1;
  for (int i = 1; i <= n; i++) {
    if (at[i] > 3) p = a;
    p[i] = at[i];
  }
#pragma endscop
}
// refused: TW0210 at 22:20 the pointer `p` changes inside the region
