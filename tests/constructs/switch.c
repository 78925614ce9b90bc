// `switch` whose cases end with `break`.
#include "calls.h"
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    switch (a[i] & 3) {
    case 0: b[i] = a[i]; break;
    case 1:
    case 2: b[i] = -a[i]; break;
    default: b[i] = 0;
    }
#pragma endscop
}
// calls:
//   40, I, I + 40: generated
//   40, I + 40, I: generated
//   40, I, I + 39: original
//   40, I + 39, I: original
//   40, I, I: original
//   0, I, I: generated
//   -5, I, I: generated

void that_goes_on(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++)
    switch (a[i] & 3) {
    case 0: b[i] = a[i];
    case 1: b[i] += 1; break;
    default: b[i] = 0;
    }
#pragma endscop
}
// refused: TW0201 at 26:5 `switch` inside the region

void that_breaks_within(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++)
    switch (a[i] & 3) {
    case 0:
      if (b[i] > 10) break;
      b[i] = a[i];
      break;
    default: b[i] = 0;
    }
#pragma endscop
}
// refused: TW0201 at 38:5 `switch` inside the region
