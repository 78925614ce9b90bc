// Conditions on data.
void f(int n, int m, double A[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (A[i] > 3) A[i] = 3;
    if (A[i] > 3) A[i] = 3; else A[i] = 4;
    if (i < m && A[i] > 5) A[i] = 5; else A[i] = -1;
    A[i] = A[i] > 0 ? A[i + 1] : 0;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  :  }
//     array A: double A[n], parameter, live-in, live-out
//     statement [n, m] -> { S0[i] : 0 <= i < n }
//       if A[i] > 3
//         A[i] = 3
//       read 0 [n, m] -> { S0[i] -> A[i] }
//       may write 1 [n, m] -> { S0[i] -> A[i] }
//     statement [n, m] -> { S1[i] : 0 <= i < n }
//       A[i] = (A[i] > 3) ? (double)3 : (double)4
//       read 0 [n, m] -> { S1[i] -> A[i] }
//       write 1 [n, m] -> { S1[i] -> A[i] }
//     statement [n, m] -> { S2[i] : 0 <= i < m and i < n }
//       A[i] = (A[i] > 5) ? (double)5 : (double)-1
//       read 0 [n, m] -> { S2[i] -> A[i] }
//       write 1 [n, m] -> { S2[i] -> A[i] }
//     statement [n, m] -> { S3[i] : i >= m and 0 <= i < n }
//       A[i] = -1
//       write 0 [n, m] -> { S3[i] -> A[i] }
//     statement [n, m] -> { S4[i] : 0 <= i < n }
//       A[i] = (A[i] > 0) ? A[i + 1] : 0
//       read 0 [n, m] -> { S4[i] -> A[i] }
//       may read 1 [n, m] -> { S4[i] -> A[1 + i] : i <= -2 + n }
//       write 2 [n, m] -> { S4[i] -> A[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
//           filter S2
//           filter S3
//           filter S4
// warned: nothing
