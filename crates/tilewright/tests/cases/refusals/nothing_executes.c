// Nothing executes.
void f(float *a) {
#pragma scop
  for (int i = 3; i < 2; i++) a[i] = 1;
#pragma endscop
}
// refused:
//   error TW0107: no statement of the region is ever executed
//     --> 3:1 `#pragma scop` this region
//     help: put the loops to be optimised between `#pragma scop` and `#pragma endscop`
