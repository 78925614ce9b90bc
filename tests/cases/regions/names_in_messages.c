// Variables go by the names that the program has for them, also where a part of a loop has its own.
int next(int n);
int left(unsigned n, int *restrict a, const int *restrict b) {
#pragma scop
  while (n-- > 1) a[n] = b[n];
#pragma endscop
  return next(n);
}
// compile:
// warned: TW0202 at 5:10 the loop variable `n` may leave the range of its type
// messages lack: n_2
