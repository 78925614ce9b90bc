// An array at the end of structures of which rows are read.
struct block { float scale; signed char part[32]; };
void f(const struct block *w, float *y, int rows, int n) {
#pragma scop
  for (int r = 0; r < rows; r++)
    for (int b = 0; b < n; b++)
      for (int i = 0; i < 32; i++) y[r] += w[r * n + b].part[i] * w[r * n + b].scale;
#pragma endscop
}
// model:
//   region 0 of f
//     param rows = int rows
//     param n = int n
//     context [rows, n] -> {  :  }
//     check y (rows from [rows, n] -> { [(0)] : rows > 0 and n > 0 } to before [rows, n] -> { [(rows)] : rows > 0 and n > 0 }) and w (rows of n from [rows, n] -> { [(0)] : rows > 0 and n > 0 } to before [rows, n] -> { [(rows)] : rows > 0 and n > 0 }) are apart
//     array y: float y[?], parameter, live-in, live-out
//     array w_part: signed char w[?].part[n][?], strides (n, 1) of dimensions 0 to 1, parameter, live-in, live-out
//     array w_scale: float w[?].scale[n], strides (n, 1), parameter, live-in, live-out
//     statement [rows, n] -> { S0[r, b, i] : 0 <= r < rows and 0 <= b < n and 0 <= i <= 31 }
//       y[r] = y[r] + (w_part[r][b][i] * w_scale[r][b])
//       read 0 [rows, n] -> { S0[r, b, i] -> y[r] }
//       read 1 [rows, n] -> { S0[r, b, i] -> w_part[r, b, i] }
//       read 2 [rows, n] -> { S0[r, b, i] -> w_scale[r, b] }
//       write 3 [rows, n] -> { S0[r, b, i] -> y[r] }
//     schedule
//       band r
//         band b
//           band i
// warned: nothing
