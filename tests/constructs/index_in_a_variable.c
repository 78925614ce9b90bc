// `int at = y * w + x; b[at] = a[at];`: a variable holds the index.
#include "calls.h"
void k(int w, int h, const int *a, int *b) {
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int at = y * w + x;
      b[at] = a[at] + x - y;
    }
#pragma endscop
}
// calls:
//   6, 5, I, I + 30: generated
//   6, 5, I + 30, I: generated
//   6, 5, I, I + 29: original
//   6, 5, I + 29, I: original
//   6, 5, I, I: original
//   0, 5, I, I: generated
//   6, 0, I, I: generated
//   -2, -2, I, I: generated

void that_data_moves(int n, const int *next, const int *a, int *b) {
#pragma scop
  int at = 0;
  for (int i = 0; i < n; i++) {
    b[at] = a[i];
    at = next[at];
  }
#pragma endscop
}
// refused: TW0206 at 22:60 `b` and `a` may be the same memory
