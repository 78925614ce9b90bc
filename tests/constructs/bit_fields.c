// `unsigned a : 3`: what stands beside bit-fields in a structure is taken, they are not.
#include "calls.h"
struct flags { int level; unsigned a : 3, b : 5; };
void k(int n, struct flags *v, const int *x) {
#pragma scop
  for (int i = 0; i < n; i++) v[i].level += x[i];
#pragma endscop
}
// calls:
//   20, (struct flags *)I, I + 40: generated
//   20, (struct flags *)I, I + 38: original
//   20, (struct flags *)(I + 20), I: generated
//   20, (struct flags *)(I + 19), I: original
//   20, (struct flags *)I, I: original
//   0, (struct flags *)I, I: generated

void what_is_set(int n, struct flags *v) {
#pragma scop
  for (int i = 0; i < n; i++) v[i].a = 1;
#pragma endscop
}
// refused: TW0209 at 19:31 `a` is a bit-field

void what_is_counted(int n, const struct flags *restrict v, int *restrict set) {
#pragma scop
  for (int i = 0; i < n; i++) set[i] = v[i].a + v[i].b;
#pragma endscop
}
// refused: TW0209 at 26:40 `a` is a bit-field
