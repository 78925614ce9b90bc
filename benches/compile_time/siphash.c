#include "numbers.h"
#define ROT(x, b) ((x) << (b) | (x) >> (64 - (b)))
#define ROUND \
    v0 += v1; v1 = ROT(v1, 13); v1 ^= v0; v0 = ROT(v0, 32); \
    v2 += v3; v3 = ROT(v3, 16); v3 ^= v2; \
    v0 += v3; v3 = ROT(v3, 21); v3 ^= v0; \
    v2 += v1; v1 = ROT(v1, 17); v1 ^= v2; v2 = ROT(v2, 32);
uint64_t siphash(const uint64_t *m, int n, uint64_t k0, uint64_t k1)
{
    uint64_t v0, v1, v2, v3, h;
#pragma scop
    v0 = k0 ^ 0x736f6d6570736575u;
    v1 = k1 ^ 0x646f72616e646f6du;
    v2 = k0 ^ 0x6c7967656e657261u;
    v3 = k1 ^ 0x7465646279746573u;
    for (int i = 0; i < n; i++) {
        v3 ^= m[i];
        ROUND
        ROUND
        v0 ^= m[i];
    }
    v2 ^= 0xff;
    for (int i = 0; i < 4; i++) {
        ROUND
    }
    h = v0 ^ v1 ^ v2 ^ v3;
#pragma endscop
    return h;
}
int main(void)
{
    uint64_t m[11];
    fill(m, sizeof m);
    uint64_t h = siphash(m, 11, 3, 4);
    show("siphash", &h, sizeof h);
}
