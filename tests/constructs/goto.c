// `goto next;`: one loop has it, the other does not.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] * 2;
  for (int i = 0; i < n; i++) {
    if (a[i] < 100) goto next;
    b[i] += i;
  next:;
  }
#pragma endscop
}
// warned: TW0201 at 7:21 `goto` inside the region
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I, I: original
//   0, I, I: generated

int out_of_the_loop(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) goto negative;
    b[i] = a[i];
  }
#pragma endscop
  return 0;
negative:
  return 1;
}
// refused: TW0201 at 24:19 `goto` inside the region

void out_of_two_loops(int n, int m, int *restrict a) {
  int found = 0;
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > 1000) {
        found = 1;
        goto done;
      }
done:
  if (found) a[0] = 0;
#pragma endscop
}
// refused: TW0201 at 43:1 `label` inside the region

void back(int n, int *restrict a) {
  int i = 0;
#pragma scop
again:
  a[i] += i;
  if (++i < n) goto again;
#pragma endscop
}
// refused: TW0201 at 54:16 `goto` inside the region
