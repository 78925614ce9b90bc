// Ranges whose ends are quotients: how far apart they are is asked of whole numbers.
void g(int n, long *c, long *p, const int *restrict row, int *restrict o) {
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[j] = 0;
    for (int k = row[i]; k < row[i + 1]; k++) {
      int t = (int)c[i / 2 * 3 / 5];
      o[i] += t + c[k * 3 / 5];
    }
  }
  for (int i = 0; i < n; i++) *p = 3;
#pragma endscop
}
// refused:
//   error TW0206: `c` and `p` may be the same memory
//     --> 2:15 `long *c` a pointer without `restrict`
//      -  5:33 `c[j]` `c` is written here
//      -  11:31 `*p` `p` is accessed here
//     help: if they never overlap, declare `c` with `restrict`
//     rewrite: long *restrict c
