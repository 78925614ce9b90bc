// `break`: of each row the first element that is large enough.
#include "calls.h"
void k(int n, int m, int x, const int *a, int *first) {
#pragma scop
  for (int i = 0; i < n; i++) {
    first[i] = m;
    for (int j = 0; j < m; j++)
      if (a[i * m + j] >= x) {
        first[i] = j;
        break;
      }
  }
#pragma endscop
}
// calls:
//   5, 6, 100, I, I + 30: generated
//   5, 6, 0, I, I + 30: generated
//   5, 6, 10000, I, I + 30: generated
//   5, 6, 100, I + 5, I: generated
//   5, 6, 100, I, I + 29: original
//   5, 6, 10000, I + 4, I: original
//   5, 6, 100, I, I: original
//   5, 0, 100, I, I: generated
//   0, 6, 100, I, I: generated

// How far it gets is data.
void merged(int n, int m, const int *a, const int *b, int *to) {
  int i = 0, j = 0, l = 0;
#pragma scop
  for (;;) {
    if (i >= n || j >= m) break;
    to[l++] = a[i] <= b[j] ? a[i++] : b[j++];
  }
#pragma endscop
}
// refused: TW0206 at 27:55 `to` and `a` may be the same memory

// The loop inside is taken.
void of_the_outer_loop(int n, int m, int x, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int j = 0; j < m; j++) b[i] += a[i * m + j];
    if (b[i] > x) break;
  }
#pragma endscop
}
// warned: TW0201 at 44:19 `break` inside the region
