// `#define SWAP(a, b) (t = (a), (a) = (b), (b) = t)`: commas between assignments.
#include "calls.h"
#define SWAP(a, b) (t = (a), (a) = (b), (b) = t)
void k(int n, int *a, int *b) {
  int t;
#pragma scop
  for (int i = 0; i < n; i++) SWAP(a[i], b[n - 1 - i]);
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I + 29, I: original
//   30, I, I: original
//   1, I, I + 1: generated
//   0, I, I: generated

void behind_a_condition(int n, int *a) {
  int t;
#pragma scop
  for (int i = 0; i + 1 < n; i++) a[i] > a[i + 1] && SWAP(a[i], a[i + 1]);
#pragma endscop
}
// refused: TW0208 at 22:54 a comma operator inside an expression

void of_pointers(int n, int *restrict a, int *restrict b) {
  int *t;
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * 2;
    if (b[i] > 100) SWAP(a, b);
  }
#pragma endscop
}
// refused: TW0210 at 32:25 the pointer `a` changes inside the region
