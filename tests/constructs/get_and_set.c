// `set(m, i, j, get(m, j, i))`: functions know where elements are.
#define NUMBER double
#include "calls.h"
struct matrix { int rows, cols; double *at; };
static double get(const struct matrix *m, int i, int j) { return m->at[i * m->cols + j]; }
static void set(struct matrix *m, int i, int j, double v) { m->at[i * m->cols + j] = v; }
void k(struct matrix *to, const struct matrix *from) {
#pragma scop
  for (int i = 0; i < to->rows; i++)
    for (int j = 0; j < to->cols; j++) set(to, i, j, 0.5 * get(from, j, i));
#pragma endscop
}
// calls:
//   &(struct matrix){ 5, 6, D }, &(struct matrix){ 6, 5, D + 30 }: generated
//   &(struct matrix){ 5, 6, D + 30 }, &(struct matrix){ 6, 5, D }: generated
//   &(struct matrix){ 5, 6, D }, &(struct matrix){ 6, 5, D + 29 }: original
//   &(struct matrix){ 5, 5, D }, &(struct matrix){ 5, 5, D }: original
//   &(struct matrix){ 5, 6, D }, &(struct matrix){ 6, 3, D + 30 }: generated
//   &(struct matrix){ 5, 6, D }, &(struct matrix){ 6, -5, D + 100 }: original
//   &(struct matrix){ 0, 6, 0 }, 0: original
//   &(struct matrix){ 5, 0, 0 }, 0: original

static double *place(struct matrix *m, int i, int j) {
  if (i >= m->rows || j >= m->cols) leave();
  return &m->at[i * m->cols + j];
}
void by_the_place(struct matrix *to, const struct matrix *from) {
#pragma scop
  for (int i = 0; i < to->rows; i++)
    for (int j = 0; j < to->cols; j++) *place(to, i, j) = get(from, j, i);
#pragma endscop
}
// refused: TW0208 at 30:41 where the result of `place` is in memory is not known
