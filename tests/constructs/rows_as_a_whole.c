// `memset` and `memcpy` over arrays of rows, `sizeof table`.
#include "calls.h"
static int table[6][10];
void k(int n, const int *a, int (*old)[10], int *sums) {
#pragma scop
  memset(table, 0, sizeof table);
  for (int i = 0; i < n; i++) table[a[i] & 3][i % 10]++;
  memcpy(old, table, sizeof(int[6][10]));
  for (int i = 0; i < 6; i++) sums[i] = old[i][1] + old[i][9];
#pragma endscop
}
// calls:
//   30, I, (int (*)[10])(I + 100), I + 200: generated
//   30, I, (int (*)[10])(I + 29), I + 200: original
//   30, I, (int (*)[10])(I + 100), I + 159: original
//   0, I, (int (*)[10])I, I + 100: generated

void half_a_row(int (*restrict rows)[10]) {
#pragma scop
  memset(rows, 0, 3 * sizeof(int[5]));
#pragma endscop
}
// refused: TW0205 at 20:3 not known to be whole elements
