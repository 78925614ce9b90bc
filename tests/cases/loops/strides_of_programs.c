// Steps that the program gets as numbers are 1 more often than not: whether a loop over them is one of
// vectors is the compiler's to say.
void with_strides(int n, int m, int row, int step, const float *restrict x, float *restrict y) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) y[i * m + j] += 3 * x[i * row + j * step];
#pragma endscop
}
// compile: --shape none
// code lacks: omp simd
// code contains: omp parallel for
// warned: nothing
