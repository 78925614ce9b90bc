// Linearised subscripts.
void f(int n, int m, int k, float *restrict a, const float *restrict b, unsigned char *restrict rgb) {
  int plane = n * m;
#pragma scop
  for (int i = 0; i < k; i++)
    for (int j = 0; j < n; j++)
      for (int l = 0; l < m; l++)
        a[i * plane + j * m + l] = b[(i * n + j) * m + l] + b[plane * i + (n - 1) * m + l];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      for (int c = 0; c < 3; c++)
        rgb[(i * m + j) * 3 + c] = rgb[((i - 1) * m + j) * 3 + c];
#pragma endscop
}
// model:
//   region 0 of f
//     param k = int k
//     param n = int n
//     param m = int m
//     param plane = int plane
//     context [k, n, m, plane] -> {  :  }
//     array b: float b[?][n][m], strides (n * m, m, 1), parameter, live-in, live-out
//     array a: float a[?][n][m], strides (n * m, m, 1), parameter, live-in, live-out
//     array rgb: unsigned char rgb[?][3 * m], strides (3 * m, 1), parameter, live-in, live-out
//     statement [k, n, m, plane] -> { S0[i, j, l] : 0 <= i < k and 0 <= j < n and 0 <= l < m }
//       a[i][j][l] = b[i][j][l] + b[i][n + -1][l]
//       read 0 [k, n, m, plane] -> { S0[i, j, l] -> b[i, j, l] }
//       read 1 [k, n, m, plane] -> { S0[i, j, l] -> b[i, -1 + n, l] }
//       write 2 [k, n, m, plane] -> { S0[i, j, l] -> a[i, j, l] }
//     statement [k, n, m, plane] -> { S1[i, j, c] : 0 < i <= -2 + n and 0 <= j < m and 0 <= c <= 2 }
//       rgb[i][(j * 3) + c] = rgb[i + -1][(j * 3) + c]
//       read 0 [k, n, m, plane] -> { S1[i, j, c] -> rgb[-1 + i, 3j + c] }
//       write 1 [k, n, m, plane] -> { S1[i, j, c] -> rgb[i, 3j + c] }
//     schedule
//       sequence
//         filter S0
//           band i
//             band j
//               band l
//         filter S1
//           band i
//             band j
//               band c
// warned: nothing
