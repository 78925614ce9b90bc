/* Loops that go on with what a variable holds in front of the region, and leave something in it. */
#include <stddef.h>
#include <stdio.h>

static int until_equal(int n, int *restrict a, const int *restrict b) {
  int i = 0;
#pragma scop
  while (i++ != n) a[i - 1] = 2 * b[i - 1];
#pragma endscop
  return i;
}

static int until_equal_from(int k, int n, int *restrict a, const int *restrict b) {
#pragma scop
  while (k++ != n) a[k] = 2 * b[k];
#pragma endscop
  return k;
}

static unsigned rest_from(int start, int n, int *restrict a) {
  unsigned i = start;
#pragma scop
  for (; i + 3 < n; i += 4) { a[i] *= 2; a[i + 1] *= 3; a[i + 2] *= 4; a[i + 3] *= 5; }
  for (; i < n; i++) a[i] += 1;
#pragma endscop
  return i;
}

static size_t sizes_from(int start, size_t n, int *restrict a) {
  size_t i = start;
#pragma scop
  for (; i + 3 < n; i += 4) { a[i] *= 2; a[i + 1] *= 3; a[i + 2] *= 4; a[i + 3] *= 5; }
#pragma endscop
  return i;
}

static int signed_from(unsigned start, int n, int *restrict a) {
  int i = start;
#pragma scop
  for (; i + 3 < n; i += 4) { a[i] *= 2; a[i + 1] *= 3; a[i + 2] *= 4; a[i + 3] *= 5; }
#pragma endscop
  return i;
}

static int parameter(int k, int n, int *restrict a) {
#pragma scop
  for (; k != n; k++) { a[k] *= 2; }
#pragma endscop
  return k;
}

static long downwards(long k, int *restrict a) {
#pragma scop
  for (; k >= 5; k -= 5) { a[k] += 3; a[k - 5] = a[k] + 1; }
  a[k] = 77;
#pragma endscop
  return k;
}

/* The region is executed again, with what it left. */
static int pieces(int n, int *restrict a) {
  int at = 1;
  for (int p = 0; p < 4; p++) {
    int stop = n * (p + 1) / 4;
#pragma scop
    for (; at + 1 < stop; at += 2) { a[at] += p; a[at + 1] ^= p; }
#pragma endscop
    at += p & 1;
  }
  return at;
}

/* Two regions. */
static int regions(int k, int n, int m, int *restrict a, int *restrict b) {
#pragma scop
  for (; k + 2 <= n; k += 2) a[k] = b[k] + k;
#pragma endscop
  int between = k;
#pragma scop
  for (; k + 3 <= m; k += 3) b[k] = a[k] - k;
  for (int i = 0; i < k; i++) a[i] += b[i];
#pragma endscop
  return between * 1000 + k;
}

int main(void) {
  static int a[4000], b[4000];
  long r = 0, last;
  for (int i = 0; i < 4000; i++) { a[i] = i * 7 % 101; b[i] = i * 11 % 53; }
#define TAKE(x) (last = (long)(x), printf("%ld\n", last), r = r * 31 % 1000003 + last)
  TAKE(until_equal(900, a, b)); TAKE(until_equal(0, a, b)); TAKE(until_equal(1, a, b));
  TAKE(until_equal_from(5, 901, a, b)); TAKE(until_equal_from(7, 7, a, b)); TAKE(until_equal_from(-1, 3, a, b));
  TAKE(rest_from(3, 905, a)); TAKE(rest_from(9, 3, a)); TAKE(rest_from(0, 4, a)); TAKE(rest_from(1, 4, a));
  TAKE(rest_from(-9, 40, a));
  TAKE(sizes_from(3, 1905, a)); TAKE(sizes_from(3, 1, a)); TAKE(sizes_from(-9, 40, a));
  TAKE(signed_from(3, 1903, a)); TAKE(signed_from(30, 3, a)); TAKE(signed_from(-30, 3, a + 30));
  TAKE(parameter(3, 1903, a)); TAKE(parameter(4, 4, a)); TAKE(parameter(-4, 4, a + 4));
  TAKE(downwards(1999, a)); TAKE(downwards(4, a)); TAKE(downwards(5, a)); TAKE(downwards(-3, a + 3));
  TAKE(pieces(1501, a)); TAKE(pieces(3, a));
  TAKE(regions(1, 777, 1400, a, b)); TAKE(regions(9, 3, 2, a, b)); TAKE(regions(0, 1001, 1000, a, b));
  unsigned hash = 0;
  for (int i = 0; i < 4000; i++) hash = hash * 31 + a[i] * 3 + b[i];
  printf("%u %ld\n", hash, r);
  return 0;
}
