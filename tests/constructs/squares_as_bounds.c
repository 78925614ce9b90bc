// `i * i < n`: a square is compared with the bound.
#include "calls.h"
void k(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  for (int l = 0; l < m; l++) {
    int s = 0;
    for (int i = 1; i * i < n; i++) s += a[i * l];
    b[l] = s;
  }
#pragma endscop
}
// calls:
//   26, 10, I, I + 46: generated
//   25, 10, I + 10, I: generated
//   1, 10, I, I: generated
//   0, 10, I, I: generated
//   -9, 10, I, I: generated
//   26, 0, I, I: generated

void that_is_an_index(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i * i < n; i++) b[i * i] = a[i];
#pragma endscop
}
// refused: TW0206 at 20:44 `b` and `a` may be the same memory

// The loop inside is taken.
void of_a_sieve(int n, int *restrict a) {
#pragma scop
  for (int i = 2; i * i < n; i++)
    for (int j = i * i; j < n; j += i) a[j] = 0;
#pragma endscop
}
// warned: TW0203 at 30:19 the condition of loop `i` is not affine
