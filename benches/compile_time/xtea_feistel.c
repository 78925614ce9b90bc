#include "numbers.h"
void xtea(uint32_t *restrict v, const uint32_t key[4], int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        uint32_t v0 = v[2 * i], v1 = v[2 * i + 1], sum = 0;
        for (int r = 0; r < 32; r++) {
            v0 += ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + key[sum & 3]);
            sum += 0x9e3779b9u;
            v1 += ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + key[sum >> 11 & 3]);
        }
        v[2 * i] = v0;
        v[2 * i + 1] = v1;
    }
#pragma endscop
}
int main(void)
{
    uint32_t v[22], k[4];
    fill(v, sizeof v); fill(k, sizeof k);
    xtea(v, k, 11);
    show("xtea", v, sizeof v);
}
