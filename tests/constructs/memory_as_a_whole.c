// `memset` and `memcpy`: memory that is set and copied as a whole.
#include "calls.h"
void k(int n, const int *a, int *b, int *c) {
#pragma scop
  memset(b, 0, n * sizeof *b);
  memcpy(c, a, n * sizeof *c);
  for (int i = 0; i < n; i++) b[i] += c[n - 1 - i] * 2;
#pragma endscop
}
// calls:
//   30, I, I + 30, I + 60: generated
//   30, I + 60, I + 30, I: generated
//   30, I, I + 30, I + 59: original
//   30, I, I + 59, I + 30: original
//   30, I, I + 29, I + 60: original
//   30, I + 10, I, I + 60: original
//   30, I, I + 60, I + 60: original
//   0, I, I, I: generated

void bits_of_numbers(int n, const float *restrict x, unsigned *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    unsigned u;
    memcpy(&u, &x[i], sizeof u);
    b[i] = u >> 23;
  }
#pragma endscop
}
// refused: TW0205 at 24:5 what `memcpy` writes is not known to be whole elements of one array

void rows_that_are_equal(int n, int m, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = memcmp(a, a + i * m, m * sizeof *a) == 0;
#pragma endscop
}
// refused: TW0205 at 33:38 `memcmp` may have side effects
