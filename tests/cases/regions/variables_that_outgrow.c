// What one iteration computes is in variables: arrays of it would be more than the program has.
void windows(int days, int n, int window, const double *restrict x, double *restrict score) {
#pragma scop
  for (int d = 0; d < days; d++) {
    int first = d - window + 1 > 0 ? d - window + 1 : 0;
    for (int a = 0; a < n; a++) {
      double sum = 0, squares = 0, low = 1e300;
      int seen = 0;
      for (int k = first; k <= d; k++) {
        double v = x[k * n + a];
        if (v < 0) continue;
        sum += v;
        squares += v * v;
        if (v < low) low = v;
        seen++;
      }
      score[d * n + a] = seen < 2 ? low : (squares - sum * sum / seen) / (seen - 1);
    }
  }
#pragma endscop
}
// compile: --shape none
// code lacks: __builtin_malloc
// code contains: double tw_sum = 0;
