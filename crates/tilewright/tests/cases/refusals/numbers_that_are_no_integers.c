// Numbers that are no integers.
void f(int n, double x[restrict n], int a[restrict n]) {
#pragma scop
  for (int i = 0; i < n - 1; i++) {
    x[i] = x[i + 1.0f];
    x[i + a[i] * 0.5] = 1;
    x[i] = x[i] % 2.0;
    x[i] %= 2;
    a[i] = ~x[i] + (1 << x[i]);
    if (a[i] & 1.0) a[i] = 0;
    x[(int)x[i]] = a[i] % 3;
  }
#pragma endscop
}
// refused:
//   error TW0209: `i + 1.0f` is a floating-point number, and a subscript has to be an integer
//     --> 5:14 `i + 1.0f` not an integer
//     help: convert it: `(int)(i + 1.0f)`
//   error TW0209: `i + a[i] * 0.5` is a floating-point number, and a subscript has to be an integer
//     --> 6:7 `i + a[i] * 0.5` not an integer
//     help: convert it: `(int)(i + a[i] * 0.5)`
//   error TW0209: `x[i]` is a floating-point number, and `%` takes an integer
//     --> 7:12 `x[i]` not an integer
//     help: convert it: `(int)(x[i])`
//   error TW0209: `x[i]` is a floating-point number, and `%` takes an integer
//     --> 8:5 `x[i]` not an integer
//     help: convert it: `(int)(x[i])`
//   error TW0209: `x[i]` is a floating-point number, and `~` takes an integer
//     --> 9:13 `x[i]` not an integer
//     help: convert it: `(int)(x[i])`
//   error TW0209: `1.0` is a floating-point number, and `&` takes an integer
//     --> 10:16 `1.0` not an integer
//     help: convert it: `(int)(1.0)`
