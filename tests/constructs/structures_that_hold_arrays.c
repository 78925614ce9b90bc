// `c[i].f[j]`: arrays in structures.
#include "calls.h"
struct cell { int f[4], n; };
void k(int n, const struct cell *c, int *sum) {
#pragma scop
  for (int i = 0; i < n; i++) {
    sum[i] = c[i].n;
    for (int j = 0; j < 4; j++) sum[i] += c[i].f[j] * (j + 1);
  }
#pragma endscop
}
// calls:
//   10, (struct cell *)I, I + 50: generated
//   10, (struct cell *)I, I + 49: original
//   10, (struct cell *)(I + 10), I: generated
//   10, (struct cell *)(I + 9), I: original
//   10, (struct cell *)I, I: original
//   0, (struct cell *)I, I: generated

void that_say_how_much_they_hold(int n, struct cell *restrict c) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < c[i].n; j++) c[i].f[j] = 0;
#pragma endscop
}
// refused: TW0212 at 23:25 loop `j` changes its own bound
