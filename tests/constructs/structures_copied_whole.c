// `q[i] = p[j]`: structures are copied whole.
#include "calls.h"
struct point { float x, y; int id; };
void k(int n, const struct point *p, struct point *q) {
#pragma scop
  for (int i = 0; i < n; i++) q[n - 1 - i] = p[i];
#pragma endscop
}
// calls:
//   20, (struct point *)I, (struct point *)I + 20: generated
//   20, (struct point *)I, (struct point *)I + 19: original
//   20, (struct point *)I, (struct point *)(I + 60): generated
//   20, (struct point *)I, (struct point *)(I + 59): original
//   20, (struct point *)(I + 1), (struct point *)I: original
//   20, (struct point *)I, (struct point *)I: original
//   0, (struct point *)I, (struct point *)I: generated

struct value { int kind; union { int i; float f; } is; };
void with_a_union(int n, const struct value *restrict p, struct value *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++) q[i] = p[i];
#pragma endscop
}
// refused: TW0209 at 21:38 its member `is` is a union

struct page { int words[1000]; };
void that_are_large(int n, const struct page *restrict p, struct page *restrict q) {
#pragma scop
  for (int i = 0; i < n; i++) q[i] = p[i];
#pragma endscop
}
// refused: TW0209 at 29:38 values of type `struct page` are not supported in regions
