// `i < *n`, `j < dims[1]`: sizes that are read from memory.
#include "calls.h"
struct sizes { int n, step; };
void k(const int *n, const int *dims, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < dims[1]; j++) b[i * dims[1] + j] = (a[j] + i) % 5 + 1;
#pragma endscop
}
// The second size is read in front only where the original reads it.
// calls:
//   (int *)SIZES(I, 4, 6), I, I + 2, I + 8: generated
//   (int *)SIZES(I, 4, 6), I, I + 2, I + 7: original
//   (int *)SIZES(I, 4, 6), I, I + 40, I + 2: generated
//   (int *)SIZES(I, 4, 6), I, I + 40, I + 1: original
//   (int *)SIZES(I, 4, 6), I, I + 40, I: original
//   (int *)SIZES(I + 24, 4, 6), I + 24, I + 26, I: generated
//   (int *)SIZES(I + 23, 4, 6), I + 23, I + 26, I: original
//   (int *)SIZES(I, 4, 0), I, I, I: generated
//   (int *)SIZES(I, 0, 6), I, I, I: original
//   (int *)SIZES(I, -1, -1), I, I, I: original
//   (int *)SIZES(I, 0, 6), 0, I, I: original

void that_shrink(int *n, int *restrict a) {
#pragma scop
  for (int i = 0; i < *n; i++)
    if (a[i] > 5) --*n;
#pragma endscop
}
// refused: TW0212 at 26:23 loop `i` changes its own bound

void that_are_overwritten(int *n) {
#pragma scop
  for (int i = 0; i < n[0]; i++) n[i] = i;
#pragma endscop
}
// refused: TW0212 at 34:23 loop `i` changes its own bound
