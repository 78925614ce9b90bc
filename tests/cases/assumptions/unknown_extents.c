// What cannot be compared at all may be promised.
void k(int n, const int *index, const int *a, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) if (a[i] > 0) b[index[i]] = a[i] + 1;
#pragma endscop
}
// compile: --shape none
// warned: TW0206
// code lacks: generated
// compile: --shape none --assume aliasing
// warned: nothing
// code contains: assumed, not checked (aliasing): `a` and `b` are different memory
// code contains: generated
// compile: --shape none --no-assume aliasing
// warned: TW0206
