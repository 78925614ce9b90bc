// `({ … x_ * y_; })` over `_Float16`: gcc rounds the value, clang does not, and nothing stands in its
// place.
typedef _Float16 half;
#define NUMBER half
#include "calls.h"
#define MUL(x, y) ({ typeof(x) x_ = (x); typeof(y) y_ = (y); x_ * y_; })
void products(int n, const half *restrict a, half *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = MUL(a[i], 0.37f16) + a[i];
#pragma endscop
}
// refused: TW0208 at 9:48 statement expression

#define LEAST(x, y) ({ typeof(x) x_ = (x); typeof(y) y_ = (y); typeof(x) z_ = x_ < y_ ? x_ : y_; z_; })
void k(int n, const half *a, half *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = LEAST(a[i], 17.5f16) + a[i];
#pragma endscop
}
// calls:
//   40, (half *)M, (half *)M + 40: generated
//   40, (half *)M, (half *)M + 39: original
//   0, (half *)M, (half *)M: generated
