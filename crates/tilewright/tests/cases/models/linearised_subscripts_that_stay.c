// Linearised subscripts that stay.
void f(int n, int m, int off, float *restrict c, float *restrict d) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) c[i * m + j + off] = c[i * m + j];
  for (int i = 0; i < n; i++) d[i * i] = 1;
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     param off = int off
//     context [n, m, off] -> {  :  }
//     array c: float c[?], parameter, live-in, live-out
//     array d: float d[?], parameter, live-in, live-out
//     statement [n, m, off] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }
//       c[((i * m) + j) + off] = c[(i * m) + j]
//       may read 0 [n, m, off] -> { S0[i, j] -> c[o0] }
//       may write 1 [n, m, off] -> { S0[i, j] -> c[o0] }
//       may read 2 [n, m, off] -> { S0[i, j] -> c[o0] }
//     statement [n, m, off] -> { S1[i] : 0 <= i < n }
//       d[i * i] = 1
//       may write 0 [n, m, off] -> { S1[i] -> d[o0] }
//       may read 1 [n, m, off] -> { S1[i] -> d[o0] }
//     schedule
//       sequence
//         filter S0
//           band i
//             band j
//         filter S1
//           band i
// warned:
//   warning TW0204: every access to `c` is taken to touch all of it, so this loop stays sequential
//     --> 5:54 `c[i * m + j]` an inner subscript may leave its row
//     help: give `c` one subscript for each dimension, through a pointer to rows: these stay in their row
//   warning TW0204: every access to `d` is taken to touch all of it, so this loop stays sequential
//     --> 6:31 `d[i * i]` not a sum of subscripts times strides
//     help: subscript `d` with sums of loop variables, each times a number or a size
