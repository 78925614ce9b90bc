// `i != n`: a loop that ends where its variable is equal to a bound.
#include "calls.h"
void k(unsigned char from, unsigned char n, const int *a, int *b) {
#pragma scop
  for (unsigned char i = from; i != n; i++) b[i] = a[i] + 1;
#pragma endscop
}
// calls:
//   3, 40, I, I + 256: generated
//   3, 40, I, I + 37: generated
//   3, 40, I, I + 36: original
//   40, 3, I, I + 256: original
//   255, 0, I, I + 256: original
//   0, 255, I, I + 256: generated
//   0, 255, I + 1, I: original
//   7, 7, I, I: generated
//   0, 0, I, I: generated

void of_two(int n, int m, int *b) {
#pragma scop
  for (int i = 0; i != n && i != m; i++) b[i] = 1;
#pragma endscop
}
// refused: TW0202 at 21:19 the condition does not end loop `i`
