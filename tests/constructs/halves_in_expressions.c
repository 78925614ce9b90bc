// `({ … x_ * y_; })` over `_Float16`: the value is rounded, as what a variable holds is.
typedef _Float16 half;
#define NUMBER half
#include "calls.h"
#define MUL(x, y) ({ typeof(x) x_ = (x); typeof(y) y_ = (y); x_ * y_; })
void k(int n, const half *a, half *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = MUL(a[i], 0.37f16) + a[i];
#pragma endscop
}
// calls:
//   40, (half *)M, (half *)M + 40: different 1
//   40, (half *)M, (half *)M + 39: original
//   0, (half *)M, (half *)M: generated
