// `return` out of two loops: the inner one is taken, once for each turn of the outer one.
#include "calls.h"
void k(int n, int m, int x, const int *a, int *at) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] == x) {
        at[0] = i, at[1] = j;
        return;
      }
#pragma endscop
  at[0] = at[1] = -1;
}
// warned: TW0201 at 9:9 `return` inside the region
// calls:
//   5, 6, I[16], I, I + 30: same 3
//   5, 6, I[3], I, I + 30: generated
//   5, 6, 10000, I, I + 30: same 5
//   5, 6, I[16], I, I + 20: same 3
//   5, 6, I[16], I, I + 17: same 2
//   5, 6, I[3], I, I + 3: original
//   2, 0, 7, I, I: same 2
//   0, 6, 7, I, I: original
