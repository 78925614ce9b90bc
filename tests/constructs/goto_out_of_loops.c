// `goto` to a label behind loops of the region: what it skips goes under a condition.
#include "calls.h"
void k(int n, int m, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int j = 0; j < m; j++) {
      for (int l = 0; l < 2; l++)
        if (a[i * m + j] == 77 + l) goto skip;
      s += a[i * m + j];
    }
    b[i] = s;
  skip:
    b[i] += 2 * i;
  }
  int t = 0;
  for (int i = 0; i < n; i++) {
    if (b[i] == 4) goto out;
    t += b[i];
  }
out:
  for (int i = 0; i < n; i++) b[n + i] = t + i;
#pragma endscop
}
// calls:
//   5, 6, I, I + 30: generated
//   40, 5, I, I + 200: generated
//   5, 6, I, I + 29: original
//   0, 6, I, I: generated
