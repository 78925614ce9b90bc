// `_Float16`: numbers of two bytes.
#define NUMBER _Float16
#include "calls.h"
void k(int n, const _Float16 *a, _Float16 *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = a[i] * 1.5f16 + a[n - 1 - i] / 3;
#pragma endscop
}
// calls:
//   30, (_Float16 *)M, (_Float16 *)M + 30: generated
//   30, (_Float16 *)M, (_Float16 *)M + 29: original
//   30, (_Float16 *)M + 29, (_Float16 *)M: original
//   30, (_Float16 *)M, (_Float16 *)M: original
//   0, (_Float16 *)M, (_Float16 *)M: generated

typedef _Float16 four __attribute__((vector_size(8)));
void four_at_a_time(int n, four *restrict a) {
#pragma scop
  for (int i = 0; i < n; i++) a[i] += a[i];
#pragma endscop
}
// refused: TW0209 at 19:31 are not supported in regions

void their_bits(int n, const _Float16 *restrict a, unsigned short *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = *(unsigned short *)&a[i];
#pragma endscop
}
// refused: TW0208 at 26:39 `&a[i]` is a number that is used as a pointer
