// `if (i >= m) leave()`: where something is wrong, the program does not go on.
#include "calls.h"
void k(int n, int m, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i >= m) leave();
    b[i] = a[i] + 1;
  }
#pragma endscop
}
// calls:
//   30, 30, I, I + 30: generated
//   30, 40, I, I + 30: generated
//   30, 20, I, I + 30: original
//   30, 0, I, I + 30: original
//   30, -5, I, I + 30: original
//   30, 30, I, I + 29: original
//   30, 30, I + 1, I: original
//   0, 0, I, I: generated
//   0, -1, I, I: original

void where_data_is_wrong(int n, const int *restrict a, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (a[i] < 0) leave();
    b[i] = a[i] + 1;
  }
#pragma endscop
}
// refused: TW0205 at 25:19 does not come back; whether it is called depends on data

static void fail(int line) {
  I[1000] = line;
  leave();
}
void through_functions(int n, int m, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i >= m) fail(7);
    b[i] = i;
  }
#pragma endscop
}
// refused: TW0205 at 39:17 `fail` returns nothing, and its body cannot stand in place of the call
