// Arrays without restrict.
static float table[10];
void f(int n, float out[n], const float in[n], const int which[n]) {
#pragma scop
  for (int i = 0; i < n; i++) out[i] = in[i] + table[which[i]];
#pragma endscop
}
// model:
//   region 0 of f
//     param n = int n
//     context [n] -> {  :  }
//     check in (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(n)] : n > 0 }) and out (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(n)] : n > 0 }) are apart
//     check table (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(10)] : n > 0 }) and out (rows from [n] -> { [(0)] : n > 0 } to before [n] -> { [(n)] : n > 0 }) are apart
//     array in: float in[n], parameter, live-in, live-out
//     array table: float table[10], global, live-in, live-out
//     array which: int which[n], parameter, live-in, live-out
//     array out: float out[n], parameter, live-in, live-out
//     statement [n] -> { S0[i] : 0 <= i < n }
//       out[i] = in[i] + table[which[i]]
//       read 0 [n] -> { S0[i] -> in[i] }
//       read 1 [n] -> { S0[i] -> which[i] }
//       may read 2 [n] -> { S0[i] -> table[o0] : 0 <= o0 <= 9 }
//       write 3 [n] -> { S0[i] -> out[i] }
//     schedule
//       band i
// warned: nothing
