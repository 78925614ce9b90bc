// What follows from other comparisons is not compared.
void k(unsigned n, const int *restrict a, int *restrict b) {
#pragma scop
  for (unsigned i = 0; i < n - 1; i++) b[i] = a[i] + a[i + 1];
  for (unsigned i = 0; i < n - 3; i++) b[i] += a[i];
#pragma endscop
}
// compile: --shape none
// code contains: if (n >= 3) {
