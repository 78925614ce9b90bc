// `union`: what stands beside one in a structure is taken, what is in it is not.
#include "calls.h"
struct value { int kind; union { int i; float f; } is; };
void k(int n, const struct value *v, int *b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = v[n - 1 - i].kind * 2;
#pragma endscop
}
// calls:
//   20, (struct value *)I, I + 40: generated
//   20, (struct value *)I, I + 38: original
//   20, (struct value *)(I + 20), I: generated
//   20, (struct value *)(I + 19), I: original
//   20, (struct value *)I, I: original
//   0, (struct value *)I, I: generated

void what_is_inside(int n, const struct value *restrict v, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = v[i].kind ? v[i].is.i : 0;
#pragma endscop
}
// refused: TW0208 at 19:50 `i` shares its memory with other fields of a union

union word { int i; float f; };
void bits_of_a_number(int n, const float *restrict x, int *restrict b) {
#pragma scop
  for (int i = 0; i < n; i++) {
    union word u;
    u.f = x[i];
    b[i] = u.i;
  }
#pragma endscop
}
// refused: TW0208 at 29:5 `f` shares its memory with other fields of a union
