// `i != n` with steps that may lead past the end: unsigned numbers come back to it.
#include "calls.h"
void k(unsigned from, unsigned n, int *b) {
#pragma scop
  for (unsigned i = from; i != n; i += 65521) b[i & 15]++;
#pragma endscop
}
// calls:
//   0, 65521, I: generated
//   7, 131049, I: generated
//   5, 5, I: generated
//   0, 65520, I: original
//   0, 1, I: original
//   65521, 0, I: original

// Narrow numbers come back sooner.
void narrow(unsigned char n, int *b) {
#pragma scop
  for (unsigned char i = n; i != 7; i -= 5) b[i]++;
#pragma endscop
}
// warned: nothing

void doubled(unsigned n, int *restrict b) {
#pragma scop
  for (unsigned i = 1; i != n; i *= 3) b[i & 15] = i;
#pragma endscop
}
// warned: nothing
