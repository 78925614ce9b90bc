#include "numbers.h"
static const uint32_t K[64] = {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32};
static const int S[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
void md5_block(uint32_t state[4], const uint32_t m[16])
{
#pragma scop
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 64; i++) {
        uint32_t f;
        int g;
        if (i < 16) { f = (b & c) | (~b & d); g = i; }
        else if (i < 32) { f = (d & b) | (~d & c); g = (5 * i + 1) % 16; }
        else if (i < 48) { f = b ^ c ^ d; g = (3 * i + 5) % 16; }
        else { f = c ^ (b | ~d); g = (7 * i) % 16; }
        uint32_t t = d;
        d = c;
        c = b;
        uint32_t s = S[i / 16 * 4 + i % 4];
        uint32_t v = a + f + K[i] + m[g];
        b = b + (v << s | v >> (32 - s));
        a = t;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
#pragma endscop
}
int main(void)
{
    uint32_t state[4] = {1, 2, 3, 4}, m[16];
    fill(m, sizeof m);
    md5_block(state, m);
    show("md5", state, sizeof state);
}
