#include "numbers.h"
#define R(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define G(a, b, c, d, x, y) \
    v[a] = v[a] + v[b] + m[x]; v[d] = R(v[d] ^ v[a], 32); v[c] = v[c] + v[d]; v[b] = R(v[b] ^ v[c], 24); \
    v[a] = v[a] + v[b] + m[y]; v[d] = R(v[d] ^ v[a], 16); v[c] = v[c] + v[d]; v[b] = R(v[b] ^ v[c], 63);
void compress(uint64_t h[8], const uint64_t m[16], const uint64_t iv[8])
{
    uint64_t v[16];
#pragma scop
    for (int i = 0; i < 8; i++) { v[i] = h[i]; v[i + 8] = iv[i]; }
    for (int r = 0; r < 12; r++) {
        G(0, 4, 8, 12, 0, 1)
        G(1, 5, 9, 13, 2, 3)
        G(2, 6, 10, 14, 4, 5)
        G(3, 7, 11, 15, 6, 7)
        G(0, 5, 10, 15, 8, 9)
        G(1, 6, 11, 12, 10, 11)
        G(2, 7, 8, 13, 12, 13)
        G(3, 4, 9, 14, 14, 15)
    }
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
#pragma endscop
}
int main(void)
{
    uint64_t h[8], m[16], iv[8];
    fill(h, sizeof h); fill(m, sizeof m); fill(iv, sizeof iv);
    compress(h, m, iv);
    show("blake2", h, sizeof h);
}
