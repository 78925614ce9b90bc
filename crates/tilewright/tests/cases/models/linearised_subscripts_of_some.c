// Subscripts of which some have rows: the others may be anywhere in these.
void f(int n, int m, int *restrict a, const int *restrict at) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i * m + j] = i;
  for (int i = 0; i < n; i++) a[at[i]] = a[i];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  :  }
//     array a: int a[?][m], strides (m, 1), parameter, live-in, live-out
//     array at: int at[?], parameter, live-in, live-out
//     statement [n, m] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }
//       a[i][j] = i
//       write 0 [n, m] -> { S0[i, j] -> a[i, j] }
//     statement [n, m] -> { S1[i] : 0 <= i < n }
//       a[0][at[i]] = a[0][i]
//       may read 0 [n, m] -> { S1[i] -> a[o0, o1] }
//       read 1 [n, m] -> { S1[i] -> at[i] }
//       may write 2 [n, m] -> { S1[i] -> a[o0, o1] }
//       may read 3 [n, m] -> { S1[i] -> a[o0, o1] }
//     schedule
//       sequence
//         filter S0
//           band i
//             band j
//         filter S1
//           band i
// warned:
//   warning TW0204: this write to `a` is taken to touch all of it, so its loops stay sequential
//     --> 6:31 `a[at[i]]` what other accesses have as rows and columns is not known here
//     help: subscript `a` with sums of loop variables, each times a number or a size
