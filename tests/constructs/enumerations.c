// `enum`: names of numbers, as bounds, subscripts and elements.
#include "calls.h"
enum kind { LOW, MID, HIGH, KINDS };
void k(int n, const enum kind *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (enum kind q = LOW; q < KINDS; q++) b[KINDS * i + q] = a[i] % KINDS == q;
#pragma endscop
}
// calls:
//   20, (enum kind *)I, I + 20: generated
//   20, (enum kind *)I, I + 19: original
//   20, (enum kind *)I + 60, I: generated
//   20, (enum kind *)I + 59, I: original
//   20, (enum kind *)I, I: original
//   0, (enum kind *)I, I: generated

void down_to_the_first(int n, enum kind from, int *restrict a) {
#pragma scop
  for (enum kind q = from; q >= LOW; q--) a[q] += n;
#pragma endscop
}
// refused: TW0202 at 20:28 the loop variable `q` may leave the range of its type
