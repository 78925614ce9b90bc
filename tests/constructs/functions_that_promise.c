// `__attribute__((const))`, `pure`: functions that promise to do nothing but compute.
#include "calls.h"
static const int weights[4] = { 3, 1, 4, 1 };
__attribute__((const)) int toascii(int);
__attribute__((pure)) static int weight(int i) { return weights[i & 3]; }
void k(int n, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = toascii(a[i]) + weight(i);
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   30, I + 30, I: generated
//   30, I + 29, I: original
//   0, I, I: generated

__attribute__((pure)) int looked_up(const int *table, int i);
static void with_memory(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = looked_up(a, i);
#pragma endscop
}
// refused: TW0205 at 21:38 `looked_up` may have side effects

__attribute__((const)) static int ways(int n) { return n < 2 ? 1 : ways(n - 1) + ways(n - 2); }
void that_call_themselves(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = ways(a[i] % 7);
#pragma endscop
}
// refused: TW0205 at 29:38 `ways` calls itself

static int asked;
__attribute__((const)) static int counted(int x) { return x + asked++; }
void that_do_not_keep_it(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = counted(a[i]);
#pragma endscop
}
// refused: TW0205 at 38:38 `counted` may have side effects
