// Loops that count in variables of the file, which others may read behind them.
#include "calls.h"
int row, column;
static unsigned long place;
static int late(int x) { return x + (int)place; }
void k(int n, int m, int *a, int *seen) {
#pragma scop
  for (row = 0; row < n; row++)
    for (column = m - 1; column >= 0; column--) a[row * m + column] = row + 7 * column;
  for (place = 0; place < (unsigned long)m; place++) a[place] *= 3;
#pragma endscop
  seen[0] += row;
  seen[1] += column;
  seen[2] = late(4);
}
// calls:
//   5, 6, I, I + 40: generated
//   1, 30, I, I + 40: generated
//   0, 6, I, I + 40: generated
//   5, 0, I, I + 40: generated
//   -2, 3, I, I + 40: generated

