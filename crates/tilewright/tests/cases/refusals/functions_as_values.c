// Functions as values.
static double twice(double x) { return 2 * x; }
struct op { double (*f)(double); };
void f(int n, struct op *restrict ops) {
#pragma scop
  for (int i = 0; i < n; i++) ops[i].f = twice;
#pragma endscop
}
// refused:
//   error TW0208: `twice` is a function here, not a number
//     --> 6:42 `twice` its address
//     help: set pointers to functions outside of the region
