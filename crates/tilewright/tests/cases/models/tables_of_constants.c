// Tables of constants have values between their least and their greatest: what is read begins at 0.
static const int at[4] = {-1, 1, 0, 0};
void f(int n, const float *a, float *b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) b[i * 4 + k] = a[(i + at[k] + n) % n];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     check a (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(n)] : n > 0 }) and b (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(4n)] : n > 0 }) are apart
//     array a: float a[?], parameter, live-in, live-out
//     array at: int at[4], global, live-in, live-out
//     array b: float b[?], parameter, live-in, live-out
//     statement [n] -> { S0[i, k] : 0 <= i < n and 0 <= k <= 3 }
//       b[(i * 4) + k] = a[((i + at[k]) + n) % n]
//       read 0 [n] -> { S0[i, k] -> at[k] }
//       may read 1 [n] -> { S0[i, k] -> a[o0] : 0 <= o0 < n }
//       write 2 [n] -> { S0[i, k] -> b[4i + k] }
//     schedule
//       band i
//         band k
// warned: nothing
