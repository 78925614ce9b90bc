// Pure calls and chains.
#include <math.h>
#include <stdlib.h>
static int clamp(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }
static float norm(float x, float y) {
  float s = x * x;
  if (y > 0) s += y * y;
  return sqrtf(s);
}
void f(int n, float a[restrict n], double b[restrict n], int c[restrict n], float gain) {
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = b[i] = norm(a[clamp(i - 1, 0, n - 1)], gain) + fmax(b[i], 1.0);
    c[i] <<= 2, c[i] = abs(c[i]) % 7 & ~n;
    (void)n;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     array a: float a[n], parameter, live-in, live-out
//     array b: double b[n], parameter, live-in, live-out
//     array c: int c[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       b[i] = norm(a[clamp(i - 1, 0, n - 1)], gain) + fmax(b[i], 1.0)
//       a[i] = b[i]
//       read 0 [n] -> { S0[i] -> a[-1 + i] : i > 0; S0[i = 0] -> a[0] }
//       read 1 [n] -> { S0[i] -> b[i] }
//       write 2 [n] -> { S0[i] -> b[i] }
//       write 3 [n] -> { S0[i] -> a[i] }
//     statement [n] -> { S1[i] : 0 <= i < n }
//       c[i] = c[i] << 2
//       read 0 [n] -> { S1[i] -> c[i] }
//       write 1 [n] -> { S1[i] -> c[i] }
//     statement [n] -> { S2[i] : 0 <= i < n }
//       c[i] = (abs(c[i]) % 7) & ~n
//       read 0 [n] -> { S2[i] -> c[i] }
//       write 1 [n] -> { S2[i] -> c[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
//           filter S2
// warned: nothing
