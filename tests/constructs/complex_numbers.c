// `double complex`: numbers with two parts.
#define NUMBER double
#include "calls.h"
#undef I
#include <complex.h>
void k(int n, const double complex *z, double complex *w) {
#pragma scop
  for (int i = 0; i < n; i++) w[i] = conj(z[i]) * z[n - 1 - i] + creal(z[i]) * I;
#pragma endscop
}
// calls:
//   20, (double complex *)D, (double complex *)D + 20: generated
//   20, (double complex *)D, (double complex *)D + 19: original
//   20, (double complex *)(D + 40), (double complex *)D: generated
//   20, (double complex *)(D + 38), (double complex *)D: original
//   20, (double complex *)D, (double complex *)D: original
//   0, (double complex *)D, (double complex *)D: generated

void of_integers(int n, int _Complex *restrict z) {
#pragma scop
  for (int i = 0; i < n; i++) z[i] += 1;
#pragma endscop
}
// refused: TW0209 at 21:31 are not supported in regions

void parts_that_count(int n, double complex *restrict z) {
#pragma scop
  for (int i = 0; i < n; i++) __real__ z[i]++;
#pragma endscop
}
// refused: TW0205 at 28:31 `__real__`
