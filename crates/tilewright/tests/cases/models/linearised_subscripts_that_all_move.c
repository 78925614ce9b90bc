// Linearised subscripts that all move.
void f(int n, int m, int off, float *restrict c, float *restrict d) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j + off] += d[i * m + j + 1];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     param off = int off
//     context [n, m, off] -> {  :  }
//     array c: float c[?][?], strides (m, 1) that begin elsewhere, parameter, live-in, live-out
//     array d: float d[?][?], strides (m, 1) that begin elsewhere, parameter, live-in, live-out
//     statement [n, m, off] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }
//       c[i][j + off] = c[i][j + off] + d[i][j + 1]
//       read 0 [n, m, off] -> { S0[i, j] -> c[i, off + j] }
//       read 1 [n, m, off] -> { S0[i, j] -> d[i, 1 + j] }
//       write 2 [n, m, off] -> { S0[i, j] -> c[i, off + j] }
//     schedule
//       band i
//         band j
// warned: nothing
