// `goto next;`: what it skips goes under a condition.
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
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I, I: original
//   0, I, I: generated

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
// warned: TW0201 at 27:9 `goto` inside the region
// warned: TW0201 at 29:1 `label` inside the region

void into_the_region(int n, int at, int *restrict a) {
  if (at) goto inside;
#pragma scop
  for (int i = 0; i < n; i++) a[i] = i;
inside:
  for (int i = 0; i < n; i++) a[i] += 2;
#pragma endscop
}
// warned: TW0201 at 40:1 `label` inside the region

void two_ways_back(int n, int *restrict a) {
  int i = 0;
#pragma scop
again:
  a[i] += i;
  i++;
  if (a[i] > 5 && i < n) goto again;
  if (i < n) goto again;
#pragma endscop
}
// refused: TW0201 at 52:26 `goto` inside the region
