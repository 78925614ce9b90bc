// `i < (n < 9 ? n : 9)`: sizes that are too large to be added to.
#include "calls.h"
void k(long n, const int *a, int *b) {
#pragma scop
  for (long i = 0; i < (n < 9 ? n : 9); i++) b[i] = a[i] + 1;
#pragma endscop
}
// calls:
//   5, I, I + 5: generated
//   5, I, I + 4: original
//   100, I, I + 9: generated
//   100, I, I + 8: original
//   1L << 44, I, I + 9: generated
//   (1L << 44) + 1, I, I + 9: original
//   0x7fffffffffffffff, I, I + 9: original
//   -0x7fffffffffffffff - 1, I, I: original
//   -5, I, I: generated
//   0, I, I: generated

void that_are_multiplied(int n, int m, int *restrict b) {
#pragma scop
  for (int i = 0; i * n < m; i++) b[i] = 3;
#pragma endscop
}
// refused: TW0203 at 22:19 `i` and `n` both vary, and are multiplied

void of_more_than_64_bits(__int128 n, int *restrict b) {
#pragma scop
  for (__int128 i = 0; i < n; i++) b[i] = 3;
#pragma endscop
}
// refused: TW0209 at 29:17 values of type `__int128` are not supported in regions
