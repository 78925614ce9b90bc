// Temporaries across loops.
void f(int n, int m, float s[restrict n], float a[restrict n][m]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    float sum = 0, row[4] = {1, n}, best;
    for (int j = 0; j < m; j++) {
      float x = a[i][j] * row[j % 4];
      sum += x;
    }
    best = sum;
    s[i] = best;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param m = int m
//     context [n, m] -> {  : m >= 0 }
//     array sum: float sum[[n, m] -> { [(n)] : n > 0 and m >= 0 }], of the region under 1 loops
//     array row: float row[[n, m] -> { [(n)] : n > 0 and m >= 0 }][4], of the region under 1 loops
//     array a: float a[n][m], parameter, live-in, live-out
//     array best: float best[[n, m] -> { [(n)] : n > 0 and m >= 0 }], of the region under 1 loops
//     array s: float s[n], parameter, live-in, live-out
//     statement [n, m] -> { S0[i] : 0 <= i < n }
//       sum[i] = 0
//       write 0 [n, m] -> { S0[i] -> sum[i] }
//     statement [n, m] -> { S1[i] : 0 <= i < n }
//       row[i][0] = 1
//       row[i][1] = n
//       row[i][2] = 0
//       row[i][3] = 0
//       write 0 [n, m] -> { S1[i] -> row[i, 0] }
//       write 1 [n, m] -> { S1[i] -> row[i, 1] }
//       write 2 [n, m] -> { S1[i] -> row[i, 2] }
//       write 3 [n, m] -> { S1[i] -> row[i, 3] }
//     statement [n, m] -> { S2[i, j] : 0 <= i < n and 0 <= j < m }
//       float x = a[i][j] * row[i][j % 4]
//       sum[i] = sum[i] + x
//       read 0 [n, m] -> { S2[i, j] -> a[i, j] }
//       read 1 [n, m] -> { S2[i, j] -> row[i, o1] : (-j + o1) mod 4 = 0 and 0 <= o1 <= 3 }
//       read 2 [n, m] -> { S2[i, j] -> sum[i] }
//       write 3 [n, m] -> { S2[i, j] -> sum[i] }
//     statement [n, m] -> { S3[i] : 0 <= i < n }
//       best[i] = sum[i]
//       read 0 [n, m] -> { S3[i] -> sum[i] }
//       write 1 [n, m] -> { S3[i] -> best[i] }
//     statement [n, m] -> { S4[i] : 0 <= i < n }
//       s[i] = best[i]
//       read 0 [n, m] -> { S4[i] -> best[i] }
//       write 1 [n, m] -> { S4[i] -> s[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
//           filter S2
//             band j
//           filter S3
//           filter S4
// warned: nothing
