// Different element types, const targets and one object through one name are no aliases.
#include <stdlib.h>
void f(int n, float *a, const int *b, const float *restrict c) {
  float *own = malloc(n * sizeof(float)), local[10];
#pragma scop
  for (int i = 0; i < n; i++) { a[i] = a[b[i]] + c[i]; own[i] = local[i] = a[i]; }
#pragma endscop
}
// warned: nothing
