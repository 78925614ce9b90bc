// `if (w) t *= w[i]`: weights may be missing.
#include "calls.h"
void k(int n, const int *v, const int *w, int *s) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int t = v[i];
    if (w) t *= w[i];
    s[i] = t;
  }
#pragma endscop
}
// calls:
//   30, I, 0, I + 30: generated
//   30, I, 0, I + 29: original
//   30, I, I + 30, I + 60: generated
//   30, I, I + 30, I + 59: original
//   30, I, I, I + 30: generated
//   30, I + 1, 0, I: original
//   30, I + 30, I + 1, I: original
//   0, I, I, I: generated
//   0, I, 0, I: generated

void that_get_lost(int n, const int *restrict v, const int *restrict w, int *restrict s) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (v[i] < 0) w = NULL;
    s[i] = w ? w[i] : v[i];
  }
#pragma endscop
}
// refused: TW0210 at 26:19 the pointer `w` changes inside the region

struct node { int v; struct node *next; };
void that_end_lists(const struct node *first, int *restrict s) {
#pragma scop
  for (const struct node *p = first; p; p = p->next) *s += p->v;
#pragma endscop
}
// refused: TW0208 at 36:38 `p` is a pointer here, not a number
