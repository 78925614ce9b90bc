/* Loops whose heads set nothing: they go on with what variables hold in front of them. */
#include <stddef.h>
#include <stdio.h>

static int pairs(int n, int m, const int *x, int *o) {
  int i, j;
  for (i = 0; i < m; i++) o[i] = x[i];
  j = i / 2;
#pragma scop
  for (; i < n; i++, j++) o[i] = x[j] + 1;
#pragma endscop
  return o[n - 1];
}

static int known(int n, const int *x, int *o) {
  int i = 3, j = 1;
#pragma scop
  for (; i < n; i++, j += 2) o[j] = x[i] * 2;
#pragma endscop
  return i * 1000 + j;
}

static int rest(int n, const int *restrict x, int *restrict o) {
  int i = 0;
#pragma scop
  for (; i + 4 <= n; i += 4) {
    o[i] = x[i]; o[i + 1] = x[i + 1] * 2; o[i + 2] = x[i + 2] * 3; o[i + 3] = x[i + 3] * 4;
  }
  for (; i < n; i++) o[i] = x[i];
#pragma endscop
  return i;
}

static size_t rest_of_sizes(size_t n, const int *x, int *o) {
  size_t i = 0;
#pragma scop
  for (; i + 4 <= n; i += 4) {
    o[i] = x[i]; o[i + 1] = x[i + 1] * 2; o[i + 2] = x[i + 2] * 3; o[i + 3] = x[i + 3] * 4;
  }
  for (; i < n; i++) o[i] = x[i];
#pragma endscop
  return i;
}

static size_t mixed(int n, const int *restrict x, int *restrict o) {
  size_t i = 0;
#pragma scop
  for (; i + 4 <= n; i += 4) {
    o[i] = x[i]; o[i + 1] = x[i + 1] * 2; o[i + 2] = x[i + 2] * 3; o[i + 3] = x[i + 3] * 4;
  }
  for (; i < n; i++) o[i] = x[i];
#pragma endscop
  return i;
}

static int ends(int n, const int *x, int *o) {
  int lo = 0, hi = n - 1;
#pragma scop
  for (; lo < hi; lo++, hi--) { o[lo] = x[hi]; o[hi] = x[lo]; }
#pragma endscop
  return n ? o[0] : 0;
}

static int stride_dead(int i, int n, int *o) {
#pragma scop
  for (; i + 7 < n; i += 8) o[i] = i;
#pragma endscop
  return o[8];
}

static unsigned half(int n, int *o) {
  unsigned i;
#pragma scop
  for (i = 0; i < n; i += 2) { o[i] += 1; }
#pragma endscop
  return i;
}

static unsigned third(int n, int *o) {
  unsigned i = 1;
#pragma scop
  for (; i < n; i += 3) o[i] += 5;
#pragma endscop
  return i;
}

static unsigned from(int a, int n, int *o) {
  unsigned i;
#pragma scop
  for (i = a; i < n; i += 5) o[i] += 5;
#pragma endscop
  return i;
}

static unsigned long below(int a, short n, int *o) {
  unsigned long i;
#pragma scop
  for (i = a; i <= n; i += 5) o[i] ^= 5;
#pragma endscop
  return i;
}

static void show(const int *o, const long *r, int results)
{
    unsigned hash = 0;
    for (int i = 0; i < 4000; i++)
        hash = hash * 31 + o[i];
    printf("%u", hash);
    for (int i = 0; i < results; i++)
        printf(" %ld", r[i]);
    printf("\n");
}

int main(void)
{
    static int x[2000], o[4000];
    long r[24] = {0};
    for (int i = 0; i < 2000; i++)
        x[i] = i * 7 % 101;
    r[0] = pairs(1000, 200, x, o);
    r[1] = known(1500, x, o);
    r[2] = rest(1003, x, o);
    r[3] = rest_of_sizes(1999, x, o + 1000);
    r[4] = mixed(777, x, o + 2000);
    r[5] = ends(501, x, o + 3000);
    r[6] = stride_dead(1, 90, o);
    r[7] = known(2, x, o);
    r[8] = pairs(3, 3, x, o + 9);
    r[9] = ends(0, x, o);
    r[10] = ends(1, x, o);
    r[11] = rest(2, x, o);
    r[12] = rest_of_sizes(0, x, o);
    r[13] = mixed(3, x, o);
    show(o, r, 14);
    r[0] = half(50, o);
    r[1] = half(0, o);
    r[2] = third(999, o);
    r[3] = third(0, o);
    r[4] = from(3, 500, o);
    r[5] = from(9, 2, o);
    r[6] = from(-1, -7, o);
    r[7] = below(4, 333, o);
    r[8] = below(4, 3, o);
    r[9] = below(4, 4, o);
    r[10] = below(-1, -7, o);
    show(o, r, 11);
    return 0;
}
