/* Conditions that step what they compare. */
#include <stddef.h>
#include <stdio.h>

static int post(int n, int *o) {
  int i = 0, s = 0;
#pragma scop
  while (i++ < n) s += o[i] * i;
#pragma endscop
  return s + i;
}

static int pre(int n, int *o) {
  int i = -1;
#pragma scop
  while (++i < n) o[i] += i;
#pragma endscop
  return i;
}

static int dead(int n, int *o) {
  int i = 2;
#pragma scop
  while (n > i++) o[i] += i;
#pragma endscop
  return o[3];
}

static int down(int lo, int hi, int *o) {
  int i = hi;
#pragma scop
  while (i-- > lo) o[i] += i;
#pragma endscop
  return i;
}

static size_t sizes(size_t n, int *o) {
  size_t i = 0;
#pragma scop
  for (i = 4; i++ <= n; ) o[i] -= 3;
#pragma endscop
  return i;
}

static int nested(int n, int m, int *o) {
  int r = 0, c;
#pragma scop
  while (r++ < n) {
    c = -1;
    while (++c < m) o[r * m + c] += c;
  }
#pragma endscop
  return r;
}

static int skips(int n, int *o) {
  int i = 0;
#pragma scop
  while (i++ < n) { if (o[i] % 2) continue; o[i] = 6; }
#pragma endscop
  return i;
}
int main(void) {
  static int o[4000];
  for (int i = 0; i < 4000; i++) o[i] = i * 7 % 98;
  long r[24] = {0};
  r[0] = post(1000, o); r[1] = post(0, o); r[2] = post(-5, o);
  r[3] = pre(900, o); r[4] = pre(0, o); r[5] = pre(-1, o); r[6] = dead(300, o); r[7] = dead(2, o); r[8] = dead(3, o);
  r[9] = down(5, 700, o); r[10] = down(5, 5, o); r[11] = down(6, 5, o); r[12] = sizes(1000, o); r[13] = sizes(4, o); r[14] = sizes(0, o);
  r[15] = nested(30, 20, o); r[16] = nested(0, 20, o); r[17] = nested(3, 0, o);
  r[18] = skips(500, o);
  r[19] = skips(0, o);
  unsigned h = 0;
  for (int i = 0; i < 4000; i++) h = h * 31 + o[i];
  printf("%u\n", h);
  for (int i = 0; i < 24; i++) printf(" %ld", r[i]);
  printf("\n");
  return 0;
}
