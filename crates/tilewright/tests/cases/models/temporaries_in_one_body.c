// Temporaries in one body.
static inline float sq(float x) { return x * x; }
void f(int n, float a[restrict n]) {
  int half = n / 2;
#pragma scop
  for (int i = 0; i < half; i++) {
    const int before = i > 0 ? i - 1 : 0;
    float x = a[before], y;
    y = sq(x);
    if (i > 3)
      y = 2;
    else if (x > 1) {
      float z = x * 2;
      y += z;
    }
    a[i] = y;
  }
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     param n_2 = int n / 2
//     context [n, n_2] -> {  : -1 + n <= 2n_2 <= 1 + n }
//     array a: float a[n], parameter, live-in, live-out
//     statement [n, n_2] -> { S0[i] : 4 <= i < n_2 }
//       float x = a[(int)((i > 0) ? (i - 1) : 0)]
//       float y
//       y = sq(x)
//       y = 2
//       a[i] = y
//       read 0 [n, n_2] -> { S0[i] -> a[-1 + i] }
//       write 1 [n, n_2] -> { S0[i] -> a[i] }
//     statement [n, n_2] -> { S1[i] : 0 <= i <= 3 and i < n_2 }
//       float x = a[(int)((i > 0) ? (i - 1) : 0)]
//       float y
//       y = sq(x)
//       if x > 1
//         float z = x * 2
//         y = y + z
//       a[i] = y
//       read 0 [n, n_2] -> { S1[i] -> a[-1 + i] : i > 0; S1[i = 0] -> a[0] }
//       write 1 [n, n_2] -> { S1[i] -> a[i] }
//     schedule
//       band i
//         sequence
//           filter S0
//           filter S1
// warned: nothing
