// Scalars and what lives.
#include <stdlib.h>
float *kept;
static double total;
double f(int n, int m) {
  double (*A)[m] = malloc(n * sizeof *A), (*C)[n][m] = malloc(sizeof(double[3][n][m]));
  double *v = malloc(m * sizeof(double)), *lin = calloc(n * m, sizeof(double));
  float *p = (float *)malloc(sizeof(float) * n);
  double L[10][n], s = 0, t;
  int i, q;
  kept = p;
  for (i = 0; i < m; i++) v[i] = i;
#pragma scop
  for (i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      A[i][j] = v[j];
      C[1][i][j] = A[i][j];
      lin[i * m + j] = C[1][i][j];
      p[i] = L[3][i];
      s += p[i];
      t = s;
      q = 1;
      total += t;
    }
#pragma endscop
  double r = C[0][0][0] + t;
  for (i = 0; i < 3; i++) q = 2;
  free(A); free(v); free(C); free(lin); free(p);
  return r;
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  : n >= 0 and m >= 0 }
//     array v: double v[m], local, live-in
//     array A: double A[n][m], local
//     array C: double C[3][n][m], local, live-out
//     array lin: double lin[n][m], strides (m, 1), local, live-in
//     array L: double L[10][n], local
//     array p: float p[n], local, live-in, live-out
//     array s: double s, local, live-in
//     array t: double t, local, live-out
//     array q: int q, local
//     array total: double total, global, live-in, live-out
//     statement [n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }
//       A[i][j] = v[j]
//       read 0 [n, m] -> { S0[i, j] -> v[j] }
//       write 1 [n, m] -> { S0[i, j] -> A[i, j] }
//     statement [n, m] -> { S1[i, j] : 0 <= i < n and 0 <= j < m }
//       C[1][i][j] = A[i][j]
//       read 0 [n, m] -> { S1[i, j] -> A[i, j] }
//       write 1 [n, m] -> { S1[i, j] -> C[1, i, j] }
//     statement [n, m] -> { S2[i, j] : 0 <= i < n and 0 <= j < m }
//       lin[i][j] = C[1][i][j]
//       read 0 [n, m] -> { S2[i, j] -> C[1, i, j] }
//       write 1 [n, m] -> { S2[i, j] -> lin[i, j] }
//     statement [n, m] -> { S3[i, j] : 0 <= i < n and 0 <= j < m }
//       p[i] = L[3][i]
//       read 0 [n, m] -> { S3[i, j] -> L[3, i] }
//       write 1 [n, m] -> { S3[i, j] -> p[i] }
//     statement [n, m] -> { S4[i, j] : 0 <= i < n and 0 <= j < m }
//       s = s + p[i]
//       read 0 [n, m] -> { S4[i, j] -> s[] }
//       read 1 [n, m] -> { S4[i, j] -> p[i] }
//       write 2 [n, m] -> { S4[i, j] -> s[] }
//     statement [n, m] -> { S5[i, j] : 0 <= i < n and 0 <= j < m }
//       t = s
//       read 0 [n, m] -> { S5[i, j] -> s[] }
//       write 1 [n, m] -> { S5[i, j] -> t[] }
//     statement [n, m] -> { S6[i, j] : 0 <= i < n and 0 <= j < m }
//       q = 1
//       write 0 [n, m] -> { S6[i, j] -> q[] }
//     statement [n, m] -> { S7[i, j] : 0 <= i < n and 0 <= j < m }
//       total = total + t
//       read 0 [n, m] -> { S7[i, j] -> total[] }
//       read 1 [n, m] -> { S7[i, j] -> t[] }
//       write 2 [n, m] -> { S7[i, j] -> total[] }
//     schedule
//       band i
//         band j
//           sequence
//             filter S0
//             filter S1
//             filter S2
//             filter S3
//             filter S4
//             filter S5
//             filter S6
//             filter S7
// warned: nothing
