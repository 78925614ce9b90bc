// `int (*t)[10] = a; a = b; b = t;`: pointers to rows that are swapped.
#include "calls.h"
void k(int steps, int n, int (*a)[10], int (*b)[10], int *last) {
#pragma scop
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < 9; j++) b[i][j] = a[i][j - 1] - a[i][j + 1] + s;
    int (*t)[10] = a;
    a = b;
    b = t;
  }
#pragma endscop
  memcpy(last, a, 40);
}
// calls:
//   4, 3, (void *)I, (void *)(I + 30), I + 100: generated
//   5, 3, (void *)(I + 30), (void *)I, I + 100: generated
//   4, 3, (void *)I, (void *)(I + 29), I + 100: original
//   4, 3, (void *)I, (void *)(I + 10), I + 100: original
//   4, 3, (void *)I, (void *)I, I + 100: original
//   3, 0, (void *)I, (void *)I, I + 100: generated
//   0, 3, (void *)I, (void *)I, I + 100: generated
