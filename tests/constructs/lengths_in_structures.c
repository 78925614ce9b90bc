// `l->at[l->n++]`: a list that knows how long it is.
#include "calls.h"
struct list { int n; int at[40]; };
void k(int n, const int *restrict a, struct list *restrict l) {
#pragma scop
  for (int i = 0; i < n; i++) {
    l->at[l->n++] = a[i];
    l->at[l->n - 1] += i;
  }
#pragma endscop
}
// calls:
//   3, I + 100, (memset(I, 0, 4), (struct list *)I): generated
//   0, I, (struct list *)I: generated

void that_may_be_what_is_read(int n, const int *a, struct list *l) {
#pragma scop
  for (int i = 0; i < n; i++) l->at[l->n++] = a[i];
#pragma endscop
}
// refused: TW0206 at 16:52 `l->at` and `a` may be the same memory
