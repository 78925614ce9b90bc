// `p = a + i * m;`: pointers that are set for each row.
#include "calls.h"
void k(int n, int m, int *a, int *b) {
  int *p, *q;
#pragma scop
  for (int i = 0; i < n; i++) {
    p = a + i * m;
    q = b + i * m;
    for (int j = 0; j < m; j++) q[j] = p[j] + p[m - 1 - j];
  }
#pragma endscop
}
// calls:
//   5, 6, I, I + 30: generated
//   5, 6, I + 30, I: generated
//   5, 6, I, I + 29: original
//   5, 6, I + 29, I: original
//   5, 6, I, I + 6: original
//   5, 6, I, I: original
//   5, 0, I, I: generated
//   0, 6, I, I: generated
//   -1, 6, I, I: generated

void in_one_of_two(int n, int m, const int *restrict odd, int *restrict a, int *restrict b) {
  int *p;
#pragma scop
  for (int i = 0; i < n; i++) {
    p = a + i * m;
    if (odd[i]) p = b + i * m;
    *p = i;
  }
#pragma endscop
}
// refused: TW0210 at 29:17 changes inside the region
