// `float (*b)[m]`: pointers to rows whose length is a variable.
#define NUMBER float
#include "calls.h"
void k(int n, int m, float (*a)[m], float (*b)[m]) {
#pragma scop
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) b[i][j] = a[i - 1][j] + a[i][m - 1 - j];
#pragma endscop
}
// calls:
//   9, 11, (void *)F, (void *)(F + 99): generated
//   9, 11, (void *)F, (void *)(F + 88): generated
//   9, 11, (void *)F, (void *)(F + 87): original
//   9, 11, (void *)(F + 99), (void *)F: generated
//   9, 11, (void *)(F + 98), (void *)F: original
//   9, 11, (void *)F, (void *)F: original
//   1, 11, (void *)F, (void *)F: generated
//   0, 11, (void *)F, (void *)F: generated

void that_are_chosen(int n, int m, float (*a)[m], const int *at) {
#pragma scop
  for (int i = 1; i < n; i++) {
    float (*b)[m] = at[i] ? a + i : a;
    (*b)[0] += 1;
  }
#pragma endscop
}
// refused: TW0207 at 23:11 the pointer `b` is not followed to an array

void of_other_lengths(int n, float *a) {
#pragma scop
  for (int i = 1; i < n; i++) {
    float (*b)[i] = (float (*)[i])a;
    b[i][0] += 1;
  }
#pragma endscop
}
// refused: TW0207 at 33:11 the pointer `b` is not followed to an array
