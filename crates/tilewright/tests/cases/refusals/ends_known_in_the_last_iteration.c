// Ends known in the last iteration.
void f(int n, int first, double limit, int key[restrict n], int next[restrict n], int length[restrict n], double x[restrict n]) {
  int at, count;
  double error;
#pragma scop
  for (int j = 0; j < n && key[j] < first; j++) x[j] = j;
  for (int j = 0; j * key[0] < n; j++) x[j] = j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < length[i]; j++) length[i] = length[i] - 1;
  error = 1.0;
  while (error > limit) { error = error * 0.5; x[0] = error; }
  at = 0;
  while (at < n) { x[at] = 1.0; at = next[at]; }
  count = 0;
  while (key[count] < n) { x[count] = 1.0; count++; }
  while (key[0] < n) { key[0] = key[0] * 2; }
#pragma endscop
}
// refused:
//   error TW0212: when loop `j` ends is known only in the iteration that ends it
//     --> 7:19 `j * key[0] < n` not a comparison of `j` alone with a bound
//      -  7:3 `for` its loop
//     note: `j * key[0] < n` has to be evaluated anew in every iteration, after the one before it
//     help: count the iterations before the loop, and let it run while `j` is less than their number
//   error TW0212: loop `j` changes its own bound
//     --> 9:25 `length[i]` has to be evaluated anew in every iteration
//      -  9:41 `length[i] = length[i] - 1` changed here
//     help: compute the bound into a variable of its own before the loop
