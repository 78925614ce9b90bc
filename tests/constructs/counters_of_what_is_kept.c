// `v[k++]`: what is kept moves together, and is counted.
#include "calls.h"
void k(int n, const int *v, int *kept) {
  int m = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    if (v[i] > 100) kept[m++] = v[i];
#pragma endscop
  I[1000] = m;
}
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   30, I + 1, I: original
//   30, I + 40, I: generated
//   1, I, I: original
//   0, I, I: generated

void that_begin_again(int n, const int *v, int *kept) {
  int m = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    kept[m++] = v[i];
    if (m == 8) m = 0;
  }
#pragma endscop
}
// refused: TW0206 at 19:44 `kept` and `v` may be the same memory

struct list { int *data; int n; };
void of_lists(int n, const int *restrict v, struct list *l) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (v[i] > 100) l->data[l->n++] = v[i];
#pragma endscop
}
// refused: TW0206 at 31:45 `l->data` and `l->n` may be the same memory
