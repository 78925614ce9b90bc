// Unsigned sizes.
#include <stddef.h>
void f(size_t n, float out[restrict n], const float in[restrict n]) {
#pragma scop
  for (size_t i = 1; i < n - 1; i++) out[i] = in[i - 1] + in[i + 1];
  for (size_t i = n; i > 0; i--) out[i - 1] *= 2;
#pragma endscop
}
// model:
//   region 0 of f
//     param n = size_t n
//     context [n] -> {  : n > 0 }
//     check `n - 1` does not wrap around: [n] -> {  : n > 0 }
//     array in: float in[n], parameter, live-in, live-out
//     array out: float out[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 < i <= -2 + n }
//       out[i] = in[i - 1] + in[i + 1]
//       read 0 [n] -> { S0[i] -> in[-1 + i] }
//       read 1 [n] -> { S0[i] -> in[1 + i] }
//       write 2 [n] -> { S0[i] -> out[i] }
//     statement [n] -> { S1[i] : 0 < i <= n }
//       out[i - 1] = out[i - 1] * 2
//       read 0 [n] -> { S1[i] -> out[-1 + i] }
//       write 1 [n] -> { S1[i] -> out[-1 + i] }
//     schedule
//       sequence
//         filter S0
//           band i
//         filter S1
//           band -i
// warned: nothing
