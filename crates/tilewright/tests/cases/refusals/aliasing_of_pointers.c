// Who knows how far data reaches?
struct grid { float *cells; int n; };
static float *buffer;
void f(int n, float *a, const float *b, float (*c)[n], struct grid *g, int *count, const int *at) {
#pragma scop
  for (int i = 0; i < n; i++) a[at[at[i]]] = b[i] + c[i][0];
  for (int i = 0; i < n; i++) g->cells[at[at[i]]] = buffer[i];
  for (int i = 0; i < g->n; i++) count[at[at[i]]] += i;
#pragma endscop
}
// refused:
//   error TW0206: `a` and `b` may be the same memory
//     --> 4:15 `float *a` a pointer without `restrict`
//      -  6:31 `a[at[at[i]]]` `a` is written here
//      -  6:46 `b[i]` `b` is accessed here
//     help: if they never overlap, declare `a` with `restrict`
//     rewrite: float *restrict a
//   error TW0206: `g->cells` and `b` may be the same memory
//     --> 4:56 `struct grid *g` `g->cells` is a pointer without `restrict`
//      -  7:31 `g->cells[at[at[i]]]` `g->cells` is written here
//      -  6:46 `b[i]` `b` is accessed here
//     help: if they never overlap, copy the pointer before the region, and use the copy in it: `float *restrict cells = g->cells;`
//   error TW0206: `count` and `at` may be the same memory
//     --> 4:72 `int *count` a pointer without `restrict`
//      -  8:34 `count[at[at[i]]]` `count` is written here
//      -  6:33 `at[at[i]]` `at` is accessed here
//     help: if they never overlap, declare `count` with `restrict`
//     rewrite: int *restrict count
