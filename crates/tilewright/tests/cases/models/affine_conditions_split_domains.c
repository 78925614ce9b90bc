// Affine conditions split domains.
void f(int n, int m, int k, double A[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i > 0 && i < m || i == k) A[i] = 1; else A[i] = 2;
    A[i] = i == 0 ? A[i] : A[i - 1];
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     param k = int k
//     context [n, m, k] -> {  :  }
//     array A: double A[n], parameter, live-in, live-out
//     statement [n, m, k] -> { S0[i] : 0 < i < m and i < n; S0[i = k] : 0 <= k < n }
//       A[i] = 1
//       write 0 [n, m, k] -> { S0[i] -> A[i] : 0 < i < m; S0[i = k] -> A[k] : k >= 0 }
//     statement [n, m, k] -> { S1[i] : i >= m and 0 < i < n and (i < k or i > k); S1[i = 0] : n > 0 and (k > 0 or k < 0) }
//       A[i] = 2
//       write 0 [n, m, k] -> { S1[i] -> A[i] : i >= m and i > 0 and (i > k or i < k); S1[i = 0] -> A[0] : k < 0 or k > 0 }
//     statement [n, m, k] -> { S2[i] : 0 <= i < n }
//       A[i] = (i == 0) ? A[i] : A[i - 1]
//       may read 0 [n, m, k] -> { S2[i = 0] -> A[0] }
//       may read 1 [n, m, k] -> { S2[i] -> A[-1 + i] : i > 0 }
//       write 2 [n, m, k] -> { S2[i] -> A[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
//           filter S2
// warned: nothing
