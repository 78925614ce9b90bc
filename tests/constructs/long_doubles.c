// `long double`: numbers of ten bytes in sixteen.
#define NUMBER long double
#include "calls.h"
#include <math.h>
void k(int n, const long double *a, long double *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    long double s = 0.1L;
    for (int j = 0; j < 4; j++) s += a[4 * i + j] / 3;
    b[i] = sqrtl(s);
  }
#pragma endscop
}
// calls:
//   20, (long double *)M, (long double *)M + 80: generated
//   20, (long double *)M, (long double *)M + 79: original
//   20, (long double *)M + 20, (long double *)M: generated
//   20, (long double *)M + 19, (long double *)M: original
//   0, (long double *)M, (long double *)M: generated

void that_are_taken_apart(int n, long double *restrict a, int *restrict e) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] = frexpl(a[i], &e[i]);
#pragma endscop
}
// refused: TW0205 at 23:38 `frexpl` may have side effects

void that_are_bounds(int n, long double most, int *restrict b) {
#pragma scop
  for (int i = 0; i < most; i++) b[i] = i;
#pragma endscop
}
// refused: TW0203 at 30:23 a bound of loop `i` is not an integer
