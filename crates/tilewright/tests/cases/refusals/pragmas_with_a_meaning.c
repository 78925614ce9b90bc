// Who executes what, and whose variable it is.
int f(int n, int *restrict a, int *restrict b) {
  int x = 5, y = 6, z;
#pragma scop
#pragma omp parallel for private(x, z) schedule(static, 4)
  for (int i = 0; i < n; i++) { z = b[i]; x = z; a[i] = x * 2; }
#pragma omp single
  a[0] = 3;
  for (int i = 0; i < n; i++) {
#pragma omp critical (here)
    b[0] += a[i];
  }
#pragma omp parallel for firstprivate(y)
  for (int i = 0; i < n; i++) { y += i; b[i] += y; }
#pragma omp for nowait
  for (int i = 0; i < n; i++) b[i]++;
#pragma omp parallel for copyin(x)
  for (int i = 0; i < n; i++) b[i]++;
#pragma endscop
  return x + y;
}
// refused:
//   error TW0207: `private(x)`, and `x` is read behind the region
//     --> 5:1 `#pragma omp parallel for private(x, z) schedule(static, 4)` keeps the value from before the loop
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
//   error TW0207: `#pragma omp single` inside the region
//     --> 7:1 `#pragma omp single` decides who executes what
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
//   error TW0207: `#pragma omp critical` inside the region
//     --> 10:1 `#pragma omp critical (here)` decides who executes what
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
//   error TW0207: `firstprivate(y)`, and `y` is read behind the region
//     --> 13:1 `#pragma omp parallel for firstprivate(y)` keeps the value from before the loop
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
//   error TW0207: `#pragma omp for` inside the region
//     --> 15:1 `#pragma omp for nowait` decides who executes what
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
//   error TW0207: `#pragma omp parallel for` with `copyin` inside the region
//     --> 17:1 `#pragma omp parallel for copyin(x)` not known to leave the values as they are
//     help: remove it, or leave these loops out of the region; the result has pragmas of its own
