// Bounds.
int count(int);
struct s { int n; };
void f(int n, int m, float a[restrict n], const int idx[restrict n], struct s *restrict p) {
  int k = 0;
  float x = n;
#pragma scop
  for (int j = 0; j < idx[0]; j++) a[j] = 1;
  for (int j = 0; j * m < n; j++) a[j] = 1;
  for (int j = k; j < n; j++) { a[j] = 1; k = k + 1; }
  for (int j = 0; j < x; j++) a[j] = 1;
  for (int j = 0; j < n / m; j++) a[j] = 1;
  for (int j = 0; j < count(n); j++) a[j] = 1;
  for (int j = 0; j < p->n; j++) p->n = 3;
  for (int j = 0; j < n; j++) { int len = a[j] + 1; for (int l = 0; l < len; l++) a[l] = 1; }
  for (int j = 0; j < (unsigned char)n; j++) a[j] = 1;
  for (int j = 0; j < (n ^ 1); j++) a[j] = 1;
#pragma endscop
}
// refused:
//   error TW0203: the condition of loop `j` is not affine
//     --> 9:19 `j * m` `j` and `m` both vary, and are multiplied
//     help: bounds may be sums of loop variables and integers that the region does not change, or data that is compared with the loop's variable alone; compute anything else into a variable before the region
//   error TW0203: a bound of loop `j` is not an integer
//     --> 11:23 `x` of a type that does not count
//      -  11:3 `for` its loop
//     help: convert it to an integer, into a variable before the loop
//   error TW0205: `count` may have side effects
//     --> 13:23 `count(n)` called here
//     help: if its result depends on its arguments alone, declare it `__attribute__((const))` or define it in this file; or move the call out of the region
//   error TW0212: loop `j` changes its own bound
//     --> 14:23 `p->n` has to be evaluated anew in every iteration
//      -  14:34 `p->n = 3` changed here
//     help: compute the bound into a variable of its own before the loop
