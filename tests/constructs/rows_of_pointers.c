// `double **a`: each row is where its pointer says.
#define NUMBER double
#include "calls.h"
void k(int n, int m, double **a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 2 * a[i][j] + i;
#pragma endscop
}
// calls:
//   3, 10, (double *[]){ D, D + 10, D + 20 }: generated
//   3, 10, (double *[]){ D, D + 100, D + 205 }: generated
//   3, 10, (double *[]){ D + 20, D + 10, D }: generated
//   3, 10, (double *[]){ D, D + 20, D + 10 }: original
//   3, 10, (double *[]){ D, D + 9, D + 20 }: original
//   3, 10, (double *[]){ D, D, D }: original
//   3, 10, (double *[]){ D, D + 10, D }: original
//   1, 10, (double *[]){ D }: generated
//   3, 0, (double *[]){ D, D, D }: generated
//   0, 10, 0: generated

void whose_number_is_data(int n, int m, const int *at, double **a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[at[i]][j] += i;
#pragma endscop
}
// refused: TW0206 at 22:56 may be the same memory for several
