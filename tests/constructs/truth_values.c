// `bool`: what is not zero is one.
#include "calls.h"
#include <stdbool.h>
void k(int n, const int *v, bool *a, bool *b) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = v[i] & 4;
  for (int i = 0; i < n; i++) b[i] = !a[n - 1 - i] && i % 3;
#pragma endscop
}
// calls:
//   30, I + 100, (bool *)B, (bool *)B + 30: generated
//   30, I + 100, (bool *)B, (bool *)B + 29: original
//   30, I + 100, (bool *)B + 30, (bool *)B: generated
//   30, I + 100, (bool *)B + 29, (bool *)B: original
//   30, I + 100, (bool *)B, (bool *)B: original
//   0, I + 100, (bool *)B, (bool *)B: generated

void that_are_set(int n, bool *a) {
#pragma scop
  memset(a, true, n);
#pragma endscop
}
// refused: TW0205 at 20:3 what `memset` writes is not known to be whole elements of one array

// The loop inside is taken.
void until_nothing_changes(int n, int *restrict v) {
  bool changed = true;
#pragma scop
  while (changed) {
    changed = false;
    for (int i = 1; i < n; i++)
      if (v[i - 1] > v[i]) v[i - 1] = v[i], changed = true;
  }
#pragma endscop
}
// warned: TW0212 at 29:10 when the `while` loop ends is known only in the iteration that ends it
