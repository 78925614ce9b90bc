#include "numbers.h"
void aes_rounds(const uint32_t te0[256], const uint32_t te1[256], const uint32_t te2[256],
                const uint32_t te3[256], const uint32_t *rk, uint32_t *restrict blocks, int n)
{
#pragma scop
    for (int b = 0; b < n; b++) {
        uint32_t s0 = blocks[4 * b] ^ rk[0], s1 = blocks[4 * b + 1] ^ rk[1];
        uint32_t s2 = blocks[4 * b + 2] ^ rk[2], s3 = blocks[4 * b + 3] ^ rk[3];
        uint32_t t0, t1, t2, t3;
        for (int r = 1; r < 10; r++) {
            t0 = te0[s0 >> 24] ^ te1[(s1 >> 16) & 0xff] ^ te2[(s2 >> 8) & 0xff] ^ te3[s3 & 0xff] ^ rk[4 * r];
            t1 = te0[s1 >> 24] ^ te1[(s2 >> 16) & 0xff] ^ te2[(s3 >> 8) & 0xff] ^ te3[s0 & 0xff] ^ rk[4 * r + 1];
            t2 = te0[s2 >> 24] ^ te1[(s3 >> 16) & 0xff] ^ te2[(s0 >> 8) & 0xff] ^ te3[s1 & 0xff] ^ rk[4 * r + 2];
            t3 = te0[s3 >> 24] ^ te1[(s0 >> 16) & 0xff] ^ te2[(s1 >> 8) & 0xff] ^ te3[s2 & 0xff] ^ rk[4 * r + 3];
            s0 = t0; s1 = t1; s2 = t2; s3 = t3;
        }
        blocks[4 * b] = s0; blocks[4 * b + 1] = s1;
        blocks[4 * b + 2] = s2; blocks[4 * b + 3] = s3;
    }
#pragma endscop
}
static uint32_t te[4][256], rk[44], blocks[4 * 7];
int main(void)
{
    fill(te, sizeof te); fill(rk, sizeof rk); fill(blocks, sizeof blocks);
    aes_rounds(te[0], te[1], te[2], te[3], rk, blocks, 7);
    show("aes", blocks, sizeof blocks);
}
