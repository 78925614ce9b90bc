// What is touched of rows that begin somewhere begins there, too.
void f(int n, int hop, int start, const float *x, float *y) {
#pragma scop
  for (int k = 0; k < n; k++)
    for (int j = 0; j < hop; j++) y[start + k * hop + j] = x[k * hop + j];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param hop = int hop
//     param start = int start
//     context [n, hop, start] -> {  :  }
//     check x (rows of hop from [n, hop, start] -> { [(0)] : n > 0 and hop > 0 } to before [n, hop, start] -> { [(n)] : n > 0 and hop > 0 }) and y (rows of hop from [n, hop, start] -> { [(0)] : n > 0 and hop > 0 } to before [n, hop, start] -> { [(-1 + n)] : n > 0 and hop > 0 }, 1 times [n, hop, start] -> { [(start)] : n > 0 and hop > 0 } to [n, hop, start] -> { [(hop + start)] : n > 0 and hop > 0 }) are apart
//     array x: float x[?][hop], strides (hop, 1), parameter, live-in, live-out
//     array y: float y[?][?], strides (hop, 1) that begin elsewhere, parameter, live-in, live-out
//     statement [n, hop, start] -> { S0[k, j] : 0 <= k < n and 0 <= j < hop }
//       y[k][start + j] = x[k][j]
//       read 0 [n, hop, start] -> { S0[k, j] -> x[k, j] }
//       write 1 [n, hop, start] -> { S0[k, j] -> y[k, start + j] }
//     schedule
//       band k
//         band j
// warned: nothing
