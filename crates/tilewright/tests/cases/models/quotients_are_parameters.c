// Quotients are parameters.
void f(int n, unsigned m, double A[restrict n + 2], double B[restrict n / 2 + 2]) {
  const int h = n / 2;
#pragma scop
  for (int i = 1; i <= h; i++) B[i] = A[2 * i];
  for (int i = 0; i < h / 2; i++) A[i] = B[n / 4];
  for (int i = 0; i < n % 2; i++) A[i] = 1;
  for (int i = 0; i < (n + 3) / 4; i++) A[i] = m / 2;
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param n_2 = int n / 2
//     param n_4 = int n / 4
//     param n_3_4 = int (n + 3L) / 4
//     context [n, n_2, n_4, n_3_4] -> {  : -1 + n <= 2n_2 <= 1 + n and -1 + n_2 <= 2n_4 <= 1 + n_2 and n <= 4n_3_4 <= 6 + n }
//     array A: double A[n + 2], parameter, live-in, live-out
//     array B: double B[n / 2 + 2], parameter, live-in, live-out
//     statement [n, n_2, n_4, n_3_4] -> { S0[i] : 0 < i <= n_2 }
//       B[i] = A[2 * i]
//       read 0 [n, n_2, n_4, n_3_4] -> { S0[i] -> A[2i] }
//       write 1 [n, n_2, n_4, n_3_4] -> { S0[i] -> B[i] }
//     statement [n, n_2, n_4, n_3_4] -> { S1[i] : 0 <= i < n_4 }
//       A[i] = B[n / 4]
//       read 0 [n, n_2, n_4, n_3_4] -> { S1[i] -> B[n_4] }
//       write 1 [n, n_2, n_4, n_3_4] -> { S1[i] -> A[i] }
//     statement [n, n_2, n_4, n_3_4] -> { S2[i = 0] : 2n_2 = -1 + n }
//       A[i] = 1
//       write 0 [n, n_2, n_4, n_3_4] -> { S2[i] -> A[0] }
//     statement [n, n_2, n_4, n_3_4] -> { S3[i] : 0 <= i < n_3_4 }
//       A[i] = m / 2
//       write 0 [n, n_2, n_4, n_3_4] -> { S3[i] -> A[i] }
//     schedule
//       sequence
//         filter S0
//           band i
//         filter S1
//           band i
//         filter S2
//           band i
//         filter S3
//           band i
// warned: nothing
