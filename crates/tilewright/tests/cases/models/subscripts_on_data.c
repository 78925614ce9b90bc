// Subscripts on data.
void f(int n, const unsigned char img[restrict n], const float lut[restrict 256],
       int hist[restrict 256], float out[restrict n], const int *restrict to) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = lut[img[i]];
  for (int i = 0; i < n; i++) hist[img[i]]++;
  for (int i = 0; i < n; i++) out[to[i]] = lut[i];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array lut: float lut[256], parameter, live-in, live-out
//     array img: unsigned char img[n], parameter, live-in, live-out
//     array out: float out[n], parameter, live-in, live-out
//     array hist: int hist[256], parameter, live-in, live-out
//     array to: int to[?], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       out[i] = lut[img[i]]
//       read 0 [n] -> { S0[i] -> img[i] }
//       may read 1 [n] -> { S0[i] -> lut[o0] : 0 <= o0 <= 255 }
//       write 2 [n] -> { S0[i] -> out[i] }
//     statement [n] -> { S1[i] : 0 <= i < n }
//       hist[img[i]] = hist[img[i]] + 1
//       read 0 [n] -> { S1[i] -> img[i] }
//       may read 1 [n] -> { S1[i] -> hist[o0] : 0 <= o0 <= 255 }
//       may write 2 [n] -> { S1[i] -> hist[o0] : 0 <= o0 <= 255 }
//     statement [n] -> { S2[i] : 0 <= i < n }
//       out[to[i]] = lut[i]
//       read 0 [n] -> { S2[i] -> lut[i] }
//       read 1 [n] -> { S2[i] -> to[i] }
//       may write 2 [n] -> { S2[i] -> out[o0] : 0 <= o0 < n }
//       may read 3 [n] -> { S2[i] -> out[o0] : 0 <= o0 < n }
//     schedule
//       sequence
//         filter S0
//           band i
//         filter S1
//           band i
//         filter S2
//           band i
// warned: nothing
