// The definition of `holds_2` is under `holds`, and still a write, not a `may write`: each of its
// cells is one iteration's, only that iteration's statements read it, and they do so under `holds`
// themselves, so that who reads a cell finds the value that was written whenever it reads at all.
// No other statement writes the cell, so that nothing is hidden that the write would not replace.
// As a `may write` it would make what the cell held before the region an input.
void f(int n, int m, double A[restrict n], double B[restrict n][m], const int *restrict flag) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (flag[i]) {
      for (int j = 0; j < m; j++) B[i][j] = A[i];
      if (A[i] > 1)
        for (int j = 0; j < m; j++) B[i][j] *= 2;
    } else
      A[i] = 7;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  : m >= 0 }
//     array holds: int holds[[n, m] -> { [(n)] : n > 0 and m >= 0 }], of the region under 1 loops
//     array flag: int flag[?], parameter, live-in, live-out
//     array A: double A[n], parameter, live-in, live-out
//     array B: double B[n][m], parameter, live-in, live-out
//     array holds_2: int holds_2[[n, m] -> { [(n)] : n > 0 and m >= 0 }], of the region under 1 loops
//     statement [n, m] -> { S0[i] : 0 <= i < n }
//       holds[i] = flag[i] != 0
//       read 0 [n, m] -> { S0[i] -> flag[i] }
//       write 1 [n, m] -> { S0[i] -> holds[i] }
//     statement [n, m] -> { S1[i, j] : 0 <= i < n and 0 <= j < m }
//       if holds[i]
//         B[i][j] = A[i]
//       may read 0 [n, m] -> { S1[i, j] -> A[i] }
//       may write 1 [n, m] -> { S1[i, j] -> B[i, j] }
//       read 2 [n, m] -> { S1[i, j] -> holds[i] }
//       may read 3 [n, m] -> { S1[i, j] -> B[i, j] }
//     statement [n, m] -> { S2[i] : 0 <= i < n }
//       if holds[i]
//         holds_2[i] = A[i] > 1
//       may read 0 [n, m] -> { S2[i] -> A[i] }
//       write 1 [n, m] -> { S2[i] -> holds_2[i] }
//       read 2 [n, m] -> { S2[i] -> holds[i] }
//     statement [n, m] -> { S3[i, j] : 0 <= i < n and 0 <= j < m }
//       if holds[i]
//         if holds_2[i]
//           B[i][j] = B[i][j] * 2
//       may read 0 [n, m] -> { S3[i, j] -> B[i, j] }
//       may write 1 [n, m] -> { S3[i, j] -> B[i, j] }
//       read 2 [n, m] -> { S3[i, j] -> holds_2[i] }
//       read 3 [n, m] -> { S3[i, j] -> holds[i] }
//     statement [n, m] -> { S4[i] : 0 <= i < n }
//       if !holds[i]
//         A[i] = 7
//       may write 0 [n, m] -> { S4[i] -> A[i] }
//       read 1 [n, m] -> { S4[i] -> holds[i] }
//       may read 2 [n, m] -> { S4[i] -> A[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
//             band j
//           filter S2
//           filter S3
//             band j
//           filter S4
// warned: nothing
