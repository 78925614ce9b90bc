#include "numbers.h"
#define ROL(v, n) ((v) << (n) | (v) >> (32 - (n)))
void sha1(uint32_t h[5], const uint32_t m[16])
{
    uint32_t w[80];
#pragma scop
    for (int t = 0; t < 16; t++) w[t] = m[t];
    for (int t = 16; t < 80; t++) w[t] = ROL(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], tmp;
    for (int t = 0; t < 20; t++) { tmp = ROL(a, 5) + ((b & c) | (~b & d)) + e + w[t] + 0x5a827999u; e = d; d = c; c = ROL(b, 30); b = a; a = tmp; }
    for (int t = 20; t < 40; t++) { tmp = ROL(a, 5) + (b ^ c ^ d) + e + w[t] + 0x6ed9eba1u; e = d; d = c; c = ROL(b, 30); b = a; a = tmp; }
    for (int t = 40; t < 60; t++) { tmp = ROL(a, 5) + ((b & c) | (b & d) | (c & d)) + e + w[t] + 0x8f1bbcdcu; e = d; d = c; c = ROL(b, 30); b = a; a = tmp; }
    for (int t = 60; t < 80; t++) { tmp = ROL(a, 5) + (b ^ c ^ d) + e + w[t] + 0xca62c1d6u; e = d; d = c; c = ROL(b, 30); b = a; a = tmp; }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e;
#pragma endscop
}
int main(void)
{
    uint32_t h[5] = {1, 2, 3, 4, 5}, m[16];
    fill(m, sizeof m);
    sha1(h, m);
    show("sha1", h, sizeof h);
}
