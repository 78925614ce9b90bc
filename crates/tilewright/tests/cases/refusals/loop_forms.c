// Loop forms.
void f(int n, float a[restrict n]) {
#pragma scop
  for (int j = 0; j < n; j *= 2) a[j] = 1;
  for (int j = 0; j < n;) a[j] = 1;
  for (int j = 0;; j++) a[j] = 1;
  for (; n > 0;) a[0] = 1;
  for (int j = 0; j > -1; j++) a[j] = 1;
  for (int j = 0; j < n; j++) { j += a[j] > 0; }
  for (int j = 0; j < n; j += n) a[j] = 1;
  for (float x = 0; x < 1; x += 0.1f) a[0] = x;
  for (unsigned char c = 0; c < n; c++) a[c] = 1;
  for (unsigned u = n; u >= 0; u--) a[u] = 1;
  for (int j = 0; j < n; j++) for (j = 0; j < 2; j++) a[j] = 1;
#pragma endscop
}
// refused:
//   error TW0202: a `while` loop inside the region
//     --> 6:3 `for (` nothing in its head ends it
//     help: write it as a counted loop, `for (int i = 0; i < n; i++)`
//   error TW0202: the condition does not end loop `j`
//     --> 8:19 `j > -1` `j` counts up
//     help: compare the loop variable with a bound that it comes to
//   error TW0202: the loop variable `u` may leave the range of its type
//     --> 13:24 `u >= 0` `u` is of type `unsigned int`
//      -  13:3 `for` this loop
//     note: it would wrap around, and the loop would go on
//     help: use a signed type of at least 32 bits for loop variables
//   error TW0202: `j` is the variable of an outer loop already
//     --> 14:36 `j = 0` set again here
//     help: a loop needs a variable, a bound and a constant step: `for (int i = 0; i < n; i++)`
