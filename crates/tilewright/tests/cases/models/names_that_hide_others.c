// Names that hide others.
void f(int n, float x, float a[restrict n], float S0[restrict n], float b[restrict n][n]) {
  float t = 2;
#pragma scop
  for (int i = 0; i < n; i++) {
    float u = a[i];
    { float x = u; a[i] = x; }
    S0[i] = x + u;
  }
  for (int i = 0; i < n; i++) a[i] *= t;
  for (int i = 0; i < n; i++) {
    float t = 0;
    for (int n = 0; n < 4; n++) t += b[i][n];
    a[i] = t;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n_2 = int n
//     context [n_2] -> {  : n_2 >= 0 }
//     array a: float a[n], parameter, live-in, live-out
//     array S0_: float S0[n], parameter, live-in, live-out
//     array t_2: float t_2[[n_2] -> { [(n_2)] : n_2 > 0 }], of the region under 1 loops
//     array b: float b[n][n], parameter, live-in, live-out
//     statement [n_2] -> { S0[i] : 0 <= i < n_2 }
//       float u = a[i]
//       float x_2 = u
//       a[i] = x_2
//       S0_[i] = x + u
//       read 0 [n_2] -> { S0[i] -> a[i] }
//       write 1 [n_2] -> { S0[i] -> a[i] }
//       write 2 [n_2] -> { S0[i] -> S0_[i] }
//     statement [n_2] -> { S1[i] : 0 <= i < n_2 }
//       a[i] = a[i] * t
//       read 0 [n_2] -> { S1[i] -> a[i] }
//       write 1 [n_2] -> { S1[i] -> a[i] }
//     statement [n_2] -> { S2[i] : 0 <= i < n_2 }
//       t_2[i] = 0
//       write 0 [n_2] -> { S2[i] -> t_2[i] }
//     statement [n_2] -> { S3[i, n] : 0 <= i < n_2 and 0 <= n <= 3 }
//       t_2[i] = t_2[i] + b[i][n]
//       read 0 [n_2] -> { S3[i, n] -> t_2[i] }
//       read 1 [n_2] -> { S3[i, n] -> b[i, n] }
//       write 2 [n_2] -> { S3[i, n] -> t_2[i] }
//     statement [n_2] -> { S4[i] : 0 <= i < n_2 }
//       a[i] = t_2[i]
//       read 0 [n_2] -> { S4[i] -> t_2[i] }
//       write 1 [n_2] -> { S4[i] -> a[i] }
//     schedule
//       sequence
//         filter S0
//           band i
//         filter S1
//           band i
//         filter S2, S3, S4
//           band i
//             sequence
//               filter S2
//               filter S3
//                 band n
//               filter S4
// warned: nothing
