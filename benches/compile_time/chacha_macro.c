#include "numbers.h"
#define ROTL(v, n) ((v) << (n) | (v) >> (32 - (n)))
#define QR(a, b, c, d) \
    a += b; d ^= a; d = ROTL(d, 16); \
    c += d; b ^= c; b = ROTL(b, 12); \
    a += b; d ^= a; d = ROTL(d, 8); \
    c += d; b ^= c; b = ROTL(b, 7);
void chacha_blocks(const uint32_t in[16], uint32_t *out, int blocks)
{
#pragma scop
    for (int k = 0; k < blocks; k++) {
        uint32_t x[16];
        for (int i = 0; i < 16; i++)
            x[i] = in[i];
        x[12] += k;
        for (int r = 0; r < 10; r++) {
            QR(x[0], x[4], x[8], x[12])
            QR(x[1], x[5], x[9], x[13])
            QR(x[2], x[6], x[10], x[14])
            QR(x[3], x[7], x[11], x[15])
            QR(x[0], x[5], x[10], x[15])
            QR(x[1], x[6], x[11], x[12])
            QR(x[2], x[7], x[8], x[13])
            QR(x[3], x[4], x[9], x[14])
        }
        for (int i = 0; i < 16; i++)
            out[16 * k + i] = x[i] + in[i];
    }
#pragma endscop
}
int main(void)
{
    uint32_t in[16], out[16 * 9];
    fill(in, sizeof in);
    chacha_blocks(in, out, 9);
    show("chacha", out, sizeof out);
}
