// Steps that are variables.
void f(int n, int from, int hop, int w, float *restrict a, float *restrict b, float *restrict c,
       float *restrict d, int *restrict e) {
#pragma scop
  for (int i = 0; i < n; i += hop) a[i] = i;
  for (int i = from; i < n; i += hop) b[i] = 1;
  for (int i = n; i > 0; i -= 2 * hop) c[i] = 1;
  for (int p = 0; p < n * w; p += w)
    for (int x = 0; x < w; x++) d[p + x] += 1;
  for (int i = 0; i < n; i += w) {
    int end = i + w;
    if (end > n) end = n;
    for (int j = i; j < end; j++) e[j] = i / w;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param hop = int hop
//     param n = int n
//     param from = int from
//     param w = int w
//     param turns = int (((hop > 0) && (0 < n)) ? (int)((((long)n - 1) / hop) + 1) : 0)
//     param turns_2 = int (((hop > 0) && (from < n)) ? (int)(((((long)n - from) - 1) / hop) + 1) : 0)
//     param turns_3 = int (((((long)2 * hop) > 0) && (n > 0)) ? (int)((((long)n - 1) / ((long)2 * hop)) + 1) : 0)
//     param turns_4 = int (((w > 0) && (0 < n)) ? (int)((((long)n - 1) / w) + 1) : 0)
//     context [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> {  : hop > 0 and from >= -2147483646 + n and w > 0 }
//     check `hop` is positive: [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> {  : hop > 0 }
//     check `i` does not wrap around: [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> {  : from >= -2147483646 + n }
//     check `w` is positive: [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> {  : w > 0 }
//     array a: float a[?][hop], strides (hop, 1), parameter, live-in, live-out
//     array b: float b[?][?], strides (hop, 1) that begin elsewhere, parameter, live-in, live-out
//     array c: float c[?][?], strides (2 * hop, 1) that begin elsewhere, parameter, live-in, live-out
//     array d: float d[?][w], strides (w, 1), parameter, live-in, live-out
//     array j_2_end: long j_2_end[[hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { [(turns_4)] : hop > 0 and from >= -2147483646 + n and w > 0 and turns_4 > 0 }], of the region under 1 loops
//     array e: int e[?][w], strides (w, 1), parameter, live-in, live-out
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S0[i_2] : 0 <= i_2 < turns }
//       a[i_2][0] = i_2 * hop
//       write 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S0[i_2] -> a[i_2, 0] }
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S1[i_3] : 0 <= i_3 < turns_2 }
//       b[i_3][from] = 1
//       write 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S1[i_3] -> b[i_3, from] }
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S2[i_4] : 0 <= i_4 < turns_3 }
//       c[-i_4][n] = 1
//       write 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S2[i_4] -> c[-i_4, n] }
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S3[p_2, x] : 0 <= p_2 < n and 0 <= x < w }
//       d[p_2][x] = d[p_2][x] + 1
//       read 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S3[p_2, x] -> d[p_2, x] }
//       write 1 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S3[p_2, x] -> d[p_2, x] }
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S4[i_5] : 0 <= i_5 < turns_4 }
//       j_2_end[i_5] = n - (i_5 * w)
//       write 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S4[i_5] -> j_2_end[i_5] }
//     statement [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S5[i_5, j_2] : 0 <= i_5 < turns_4 and 0 <= j_2 < w }
//       if j_2 < j_2_end[i_5]
//         e[i_5][j_2] = i_5
//       may write 0 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S5[i_5, j_2] -> e[i_5, j_2] }
//       read 1 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S5[i_5, j_2] -> j_2_end[i_5] }
//       may read 2 [hop, n, from, w, turns, turns_2, turns_3, turns_4] -> { S5[i_5, j_2] -> e[i_5, j_2] }
//     schedule
//       sequence
//         filter S0
//           band i_2
//         filter S1
//           band i_3
//         filter S2
//           band i_4
//         filter S3
//           band p_2
//             band x
//         filter S4, S5
//           band i_5
//             sequence
//               filter S4
//               filter S5
//                 band j_2
// warned: nothing
