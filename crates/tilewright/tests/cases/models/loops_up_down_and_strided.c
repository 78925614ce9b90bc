// Loops up down and strided.
void f(int n, int m, double A[restrict n]) {
  int i;
#pragma scop
  for (i = n - 1; i >= 0; --i) A[i] = 1;
  for (int j = 0; j < n; j += 3) A[j] = 2;
  for (int j = 0; 2 * j < n && j < m; j++) A[j] = 3;
  for (int j = 0; j < n && j % 3 != 2; j++) A[j] = 4;
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  :  }
//     array A: double A[n], parameter, live-in, live-out
//     statement [n, m] -> { S0[i] : 0 <= i < n }
//       A[i] = 1
//       write 0 [n, m] -> { S0[i] -> A[i] }
//     statement [n, m] -> { S1[j] : (j) mod 3 = 0 and 0 <= j < n }
//       A[j] = 2
//       write 0 [n, m] -> { S1[j] -> A[j] }
//     statement [n, m] -> { S2[j] : 0 <= j < m and 2j < n }
//       A[j] = 3
//       write 0 [n, m] -> { S2[j] -> A[j] }
//     statement [n, m] -> { S3[j] : 0 <= j <= 1 and j < n }
//       A[j] = 4
//       write 0 [n, m] -> { S3[j] -> A[j] }
//     schedule
//       sequence
//         filter S0
//           band -i
//         filter S1
//           band j
//         filter S2
//           band j
//         filter S3
//           band j
// warned: nothing
