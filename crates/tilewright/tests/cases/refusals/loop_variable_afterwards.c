// Loop variable afterwards.
int f(int n, float a[restrict n]) {
  int i, j;
#pragma scop
  for (i = 0; i <= n && i < 9; i++) a[i] = 1;
  for (j = 0; j <= n && j < 9; j++) a[j] = i;
#pragma endscop
  for (j = 0; j < 2; j++) if (a[j] > 0) break;
  return i;
}
// refused:
//   error TW0202: the loop variable `i` is used outside its loop
//     --> 6:44 `i` used here
//      -  5:3 `for` its loop
//     help: use the loop's bound instead
//   error TW0202: the loop variable `i` is used after the region
//     --> 9:10 `i` used here
//      -  5:3 `for` its loop
//     help: declare it in the loop's head, and set another variable for what comes after (`i = …`)
