// `int *row = t[i];`: pointers to rows, declared in the region.
#include "calls.h"
static int t[6][10];
void k(int m, const int *a, int *out) {
#pragma scop
  for (int i = 0; i < 5; i++) {
    int *row = t[i];
    for (int j = 0; j < m; j++) row[j] = a[j] + 100 * i;
  }
#pragma endscop
  memcpy(out, t, sizeof t);
}
// calls:
//   10, I, I + 100: generated
//   7, I + 50, I + 100: generated
//   11, I, I + 100: original
//   14, I, I + 100: original
//   0, I, I + 100: generated
//   -3, I, I + 100: generated

void one_of_two_rows(int n, const int *a, int u[6][10]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int *row = a[i] > 0 ? t[i] : u[i];
    row[i] = a[i];
  }
#pragma endscop
}
// refused: TW0207 at 24:9 the pointer `row` is not followed to an array

// The loop inside is taken.
void one_of_two_long_rows(int m, int u[6][10]) {
#pragma scop
  for (int i = 0; i < 6; i++) {
    int *row = u[i][0] > 0 ? t[i] : u[i];
    for (int j = 0; j < m; j++) row[j] += i;
  }
#pragma endscop
}
// warned: TW0207 at 35:9 the pointer `row` is not followed to an array

// The loop inside is taken.
void of_every_other_element(int m, int step) {
#pragma scop
  for (int i = 0; i < 6; i++) {
    int *row = t[i];
    for (int j = 0; j < m; j++) row[j * step] += i;
  }
#pragma endscop
}
// warned: TW0208 at 47:33 a pointer into `t` may leave its row
