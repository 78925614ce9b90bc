// Pragmas that say no more than that loops are parallel.
int f(int n, int *restrict a, int *restrict b) {
  int j, x, s = 0, y = n;
#pragma scop
#pragma omp parallel for private(j, x) firstprivate(y) collapse(1) schedule(static) num_threads(n / 2 + 1)
  for (int i = 0; i < n; i++)
#pragma omp simd
  for (j = 0; j < n; j++) { x = a[j] + y; b[i] += x; }
#pragma GCC ivdep
#pragma omp parallel for reduction(+ : s), default(shared)
  for (int i = 0; i < n; i++) s += b[i];
#pragma endscop
  return s + y;
}
// warned: nothing
