// `goto` back to a label in front: a loop.
#include "calls.h"
void k(int n, const int *a, int *b) {
  int i = 0, j = 0;
#pragma scop
again:
  b[i] = a[i] * 3;
  if (++i < n) goto again;
once_more:
  if (j < n) {
    b[j] += j;
    j++;
    goto once_more;
  }
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   1, I, I + 1: generated
//   0, I, I + 1: original
