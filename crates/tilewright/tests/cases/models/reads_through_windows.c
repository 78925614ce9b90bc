// What is only read has a dimension for each of its strides, and nothing is asked of sizes.
void frames(const float *restrict x, const float *restrict w, float *restrict y, int n, int hop, int m) {
#pragma scop
  for (int f = 0; f < n; f++)
    for (int t = 0; t < m; t++) y[f] += x[f * hop + t] * w[t];
#pragma endscop
}
// model:
//   region 0 of frames
//     param n = int n
//     param m = int m
//     param hop = int hop
//     context [n, m, hop] -> {  :  }
//     array y: float y[?], parameter, live-in, live-out
//     array x: float x[?][?], strides (hop, 1) that may overlap, parameter, live-in, live-out
//     array w: float w[?], parameter, live-in, live-out
//     statement [n, m, hop] -> { S0[f, t] : 0 <= f < n and 0 <= t < m }
//       y[f] = y[f] + (x[f][t] * w[t])
//       read 0 [n, m, hop] -> { S0[f, t] -> y[f] }
//       read 1 [n, m, hop] -> { S0[f, t] -> x[f, t] }
//       read 2 [n, m, hop] -> { S0[f, t] -> w[t] }
//       write 3 [n, m, hop] -> { S0[f, t] -> y[f] }
//     schedule
//       band f
//         band t
// warned: nothing
