// `for (i = 0, j = n - 1; i < j; i++, j--)`: two variables in one head.
#include "calls.h"
void k(int n, const int *a, int *b) {
  int i, j;
#pragma scop
  for (i = 0, j = n - 1; i < j; i++, j--) {
    b[i] = a[j];
    b[j] = a[i];
  }
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   31, I, I + 31: generated
//   30, I + 30, I: generated
//   30, I, I + 29: original
//   30, I + 29, I: original
//   30, I, I: original
//   1, I, I: generated
//   0, I, I: generated
//   -3, I, I: generated

void of_which_data_moves_one(int n, const int *restrict step, const int *restrict a, int *restrict b) {
  int i, j;
#pragma scop
  for (i = 0, j = 0; i < n; i++, j += step[i]) b[j] = a[i];
#pragma endscop
}
// refused: TW0202 at 26:8 the loop does not begin with one assignment to its variable

void of_which_one_goes_by_two(int n, int *a) {
#pragma scop
  for (int i = 0, j = n - 1; i < j; i += 2, j--) a[i] += a[j];
#pragma endscop
}
// refused: TW0202 at 33:8 the loop does not begin with one assignment to its variable
