// `void k(n, a) int n; int *a; {`: parameters are declared behind the parentheses.
#include "calls.h"
int third(x) int x; { return x / 3; }
void k(n, a, b)
  int n;
  const int *a;
  int *b;
{
#pragma scop
  for (int i = 0; i < n; i++) b[i] = third(a[i]) + 1;
#pragma endscop
}
// calls:
//   30, I, I + 30: generated
//   30, I, I + 29: original
//   30, I + 29, I: original
//   0, I, I: generated

void what_is_called(n, a, f)
  int n;
  int *a;
  int (*f)();
{
#pragma scop
  for (int i = 0; i < n; i++) a[i] = f(a[i]);
#pragma endscop
}
// refused: TW0208 at 25:38 call through a pointer inside the region
