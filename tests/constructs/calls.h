/* What calls of a function `k` may name: memory of 4096 bytes, which tests compare afterwards, as
   numbers of one type or another. It is filled with numbers of the type NUMBER. */
#ifndef NUMBER
#define NUMBER int
#endif
#include <string.h>
void leave(void) __attribute__((noreturn));
extern _Alignas(64) unsigned char M[4096];
extern int generated;
#define D ((double *)M)
#define F ((float *)M)
#define I ((int *)M)
#define B (M)
#define SIZES(at, n, step) (*(struct sizes *)(at) = (struct sizes){ n, step }, (struct sizes *)(at))
#define IMAGE(at, data, n) (*(struct image *)(at) = (struct image){ data, n }, (struct image *)(at))
static void fill(int seed) {
  for (int i = 0; i < 4096 / (int)sizeof(NUMBER); i++) ((NUMBER *)M)[i] = i * 37 % 251 + i + seed;
}
