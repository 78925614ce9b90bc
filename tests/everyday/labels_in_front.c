#include <stdio.h>
/* Labels in front of regions, and regions in cases. */
static int again(int n, int *restrict a) {
  int k = 0;
again:
#pragma scop
  for (int i = 0; i < n; i++) a[i] = a[i] * 2 + k;
#pragma endscop
  if (k++ < 3) goto again;
  return k;
}
static int several(int n, int m, int *restrict a) {
  int k = n;
  switch (m) {
  case 1: one: case 2:
#pragma scop
    for (int i = 0; i < k; i++) a[i] = a[i] * 2;
    for (int i = 0; i < k; i++) a[i + 1] += a[i];
#pragma endscop
    break;
  case 3:
    k = n / 2;
  default:
#pragma scop
    for (int i = 0; i < k; i++) a[i] = a[i] + 2;
#pragma endscop
    if (m == 4) { m = 5; k = 7; goto one; }
  }
  return m + k;
}
/* What is not modelled in the first statement behind a label: it stays, and so does the label. */
static int part(int n, int *restrict a, int (*f)(int)) {
  int k = 0, s = 0;
top:
#pragma scop
  for (int i = 0; i < n; i++) { s += f(i); for (int j = 0; j < i; j++) a[j] += k; }
  for (int i = 0; i < n; i++) a[i] = a[i] * 3 + s;
#pragma endscop
  if (++k < 3) goto top;
  return s;
}
static int cube(int x) { static int c = 0; c++; return x * x * x % 17 + c % 3; }
int main(void) {
  int a[100]; for (int i = 0; i < 100; i++) a[i] = i;
  int r = again(50, a);
  for (int m = 0; m < 6; m++) { r = r * 7 + several(30 + m, m, a); printf("%d %d\n", r, a[29]); }
  r += part(40, a, cube);
  unsigned s = r; for (int i = 0; i < 100; i++) s = s * 31 + a[i]; printf("%u\n", s); return 0;
}
