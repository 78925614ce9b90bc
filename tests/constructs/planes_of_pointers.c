// `double ***a`: each plane by itself, once for each turn of the loop around.
#define NUMBER double
#include "calls.h"
void k(int n, int m, int l, double ***a) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double **plane = a[i];
    for (int j = 0; j < m; j++)
      for (int p = 0; p < l; p++) plane[j][p] = 2 * plane[j][p] + i;
  }
#pragma endscop
}
// warned: TW0209 at 9:53 `a` is an array of several levels of pointers
// calls:
//   1, 2, 5, (double **[]){ (double *[]){ D, D + 5 } }: generated
//   1, 2, 5, (double **[]){ (double *[]){ D, D + 4 } }: original
//   2, 2, 5, (double **[]){ (double *[]){ D, D + 5 }, (double *[]){ D + 10, D + 15 } }: same 2
//   2, 2, 5, (double **[]){ (double *[]){ D, D + 5 }, (double *[]){ D, D + 5 } }: same 2
//   2, 2, 5, (double **[]){ (double *[]){ D, D }, (double *[]){ D + 10, D + 5 } }: generated
//   2, 2, 5, (double **[]){ (double *[]){ D, D }, (double *[]){ D + 1, D } }: original
//   1, 0, 5, (double **[]){ 0 }: generated
//   0, 2, 5, 0: original

void in_one_expression(int n, int m, int l, double ***a, double *restrict sum) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int p = 0; p < l; p++) sum[i] += a[i][j][p];
#pragma endscop
}
// refused: TW0209 at 28:45 `a` is an array of several levels of pointers
