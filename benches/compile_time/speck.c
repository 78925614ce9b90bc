#include "numbers.h"
void speck(uint64_t *restrict pt, const uint64_t key[2], size_t n)
{
#pragma scop
    for (size_t i = 0; i < n; i++) {
        uint64_t y = pt[2 * i], x = pt[2 * i + 1], b = key[0], a = key[1];
        for (int r = 0; r < 32; r++) {
            x = (x >> 8 | x << 56) + y ^ b;
            y = (y << 3 | y >> 61) ^ x;
            a = (a >> 8 | a << 56) + b ^ (uint64_t)r;
            b = (b << 3 | b >> 61) ^ a;
        }
        pt[2 * i] = y;
        pt[2 * i + 1] = x;
    }
#pragma endscop
}
int main(void)
{
    uint64_t p[30], k[2];
    fill(p, sizeof p); fill(k, sizeof k);
    speck(p, k, 15);
    show("speck", p, sizeof p);
}
