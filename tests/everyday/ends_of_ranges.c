#include <stdio.h>
#include <stdint.h>
#include <limits.h>
#include <stddef.h>
/* Loops that end where the numbers of their types do, and what they leave behind. */
void scale_rest(float *restrict y, const float *restrict x, size_t len, float a) {
  size_t k = 0;
#pragma scop
  for (; k + 8 <= len; k += 8) for (int j = 0; j < 8; j++) y[k + j] = a * x[k + j];
  for (; k < len; ++k) y[k] = a * x[k];
#pragma endscop
}
int find_end(int start, int count, int *restrict o) {
  int end = start;
#pragma scop
  while (end++ < count) o[end] = 1;
#pragma endscop
  return end;
}
long back(long hi, int *restrict o) {
  long i = hi;
#pragma scop
  while (--i >= 0) o[i] += 2;
#pragma endscop
  return i;
}
unsigned up3(unsigned n, unsigned *restrict o) {
  unsigned i = 2, w = 0;
#pragma scop
  for (; i < n; i += 3, w++) o[i] = w;
#pragma endscop
  return i * 100 + w;
}
int down2(int n, int *restrict o) {
  int i = n - 1, j = 0;
#pragma scop
  for (; i >= 0; i -= 2, j++) o[i] = j;
#pragma endscop
  return i * 1000 + j;
}
uint8_t narrow(uint8_t n, int *restrict o) {
  uint8_t i = 0;
#pragma scop
  while (i++ < n) o[i] += 3;
#pragma endscop
  return i;
}
short narrow2(short n, int *restrict o) {
  short i = -1;
#pragma scop
  while (++i < n) o[i] += 3;
#pragma endscop
  return i;
}
int at_end(int from, int *restrict o) {
  int i = from;
#pragma scop
  for (; i < INT_MAX; i++) o[INT_MAX - i] = i & 15;
#pragma endscop
  return i;
}
int at_end2(int from, int *restrict o) {
  int i = from;
#pragma scop
  while (i++ < INT_MAX - 1) o[INT_MAX - i] += i & 15;
#pragma endscop
  return i;
}
unsigned at_top(unsigned from, int *restrict o) {
  unsigned i = from;
#pragma scop
  while (i++ < UINT_MAX) o[UINT_MAX - i] += 7;
#pragma endscop
  return i;
}
unsigned at_top2(unsigned from, int *restrict o) {
  unsigned i;
#pragma scop
  for (i = from; i < UINT_MAX - 8; i += 4) o[UINT_MAX - i] += 9;
#pragma endscop
  return i;
}
unsigned neq(unsigned n, int *restrict o) {
  unsigned i = 0;
#pragma scop
  while (i++ != n) o[i] += 4;
#pragma endscop
  return i;
}
int both(int n, int m, int *restrict o) {
  int i = 0, s = 0;
#pragma scop
  for (int r = 0; r < m; r++) {
    i = r;
    for (; i < n; i += 2) o[i] += r;
    s += i;
  }
#pragma endscop
  return s;
}
int sum_pairs(const int *x, int n) {
  unsigned s = 0; int i = 0, j = n;
#pragma scop
  while (i < j--) { s += x[i++] * x[j]; }
#pragma endscop
  return s % 1000 * 100 + i - j;
}
int reuse(int n, int *restrict o) {
  int i;
#pragma scop
  for (i = 0; i + 2 < n; i += 3) o[i] += 1;
  for (; i < n; i++) o[i] -= 1;
  for (i--; i >= 0; i -= 4) o[i] += 5;
#pragma endscop
  return i;
}
size_t signs(int from, int to, int *restrict o) {
  size_t i;
  size_t t = 0;
#pragma scop
  for (i = from; i < to; i += 2) o[i] += 1;
#pragma endscop
  return i + t;
}
static unsigned h = 1;
static int o[4000];
static void mix(long v) { h = h * 31 + (unsigned)v; for (int i = 0; i < 4000; i++) { h = h * 31 + o[i]; } printf("%ld %u\n", v, h); }
int main(void) {
  static float x[1000], y[1000]; for (int i = 0; i < 1000; i++) x[i] = i;
  for (int n = 0; n < 20; n++) { scale_rest(y, x, n * 3, n); for (int i = 0; i < 100; i++) h = h * 31 + (int)y[i]; }
  mix(0);
  for (int n = -2; n < 13; n++) {
    mix(find_end(n > 0 ? n / 2 : 0, n, o)); mix(back(n, o)); mix(up3(n < 0 ? 0 : n, (unsigned *)o)); mix(down2(n, o));
    if (n >= 0) { mix(narrow(n, o)); mix(neq(n, o)); } mix(narrow2(n, o));
    mix(at_end(INT_MAX - 10 + (n < 0 ? 0 : n < 10 ? n : 10), o)); mix(at_end2(INT_MAX - 20 + n, o)); mix(at_top(UINT_MAX - 30 - n, o)); mix(at_top2(UINT_MAX - 60 - n, o));
    mix(both(n, 5, o)); mix(reuse(n, o)); mix(sum_pairs(o, n < 0 ? 0 : n)); if (n >= 0) mix(signs(n / 3, n, o));
  }
  mix(narrow(255 - 1, o)); mix(narrow2(1000, o)); mix(find_end(0, 1500, o)); mix(back(2000, o)); mix(up3(3001, (unsigned *)o)); mix(down2(3000, o)); mix(both(1000, 50, o)); mix(reuse(3999, o)); mix(sum_pairs(o, 300));
  mix(signs(-5, -9, o)); mix(signs(5, 1009, o));
  return 0;
}
