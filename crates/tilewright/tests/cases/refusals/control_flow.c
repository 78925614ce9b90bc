// Control flow.
void f(int n, float a[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++) { if (a[i] > 0) break; a[i] = 1; }
  for (int i = 0; i < n; i++) { if (i > 2) continue; a[i] = 1; }
  for (int i = 0; i < n; i++) { if (a[i] > 0) goto end; }
  for (int i = 0; i < n; i++) switch (i) { case 0: a[i] = 0; case 1: a[i] += 1; }
  while (n > 0) a[0] = 1;
  do { a[0] = 1; } while (a[0] < 1);
  return;
#pragma endscop
end:;
}
// refused:
//   error TW0201: `goto` inside the region
//     --> 6:47 `goto end;` leaves the counted loops
//     help: set a variable in place of it, `done = 1`, and put what it skips, in this turn and in those that follow, under `if (!done)`
//   error TW0201: `switch` inside the region
//     --> 7:31 `switch (i) { case 0: a[i] = 0; case 1: a[i] += 1; }` leaves the counted loops
//     help: use `if` and `for` only
//   error TW0201: `return` inside the region
//     --> 10:3 `return;` leaves the counted loops
//     help: end the region before it
