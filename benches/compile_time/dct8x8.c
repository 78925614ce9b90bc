#include "numbers.h"
void fdct(int16_t *block)
{
    int tmp[64];
#pragma scop
    for (int i = 0; i < 8; i++) {
        int s0 = block[8 * i + 0] + block[8 * i + 7];
        int s1 = block[8 * i + 1] + block[8 * i + 6];
        int s2 = block[8 * i + 2] + block[8 * i + 5];
        int s3 = block[8 * i + 3] + block[8 * i + 4];
        int d0 = block[8 * i + 0] - block[8 * i + 7];
        int d1 = block[8 * i + 1] - block[8 * i + 6];
        int d2 = block[8 * i + 2] - block[8 * i + 5];
        int d3 = block[8 * i + 3] - block[8 * i + 4];
        int e0 = s0 + s3, e1 = s1 + s2, e2 = s1 - s2, e3 = s0 - s3;
        tmp[8 * i + 0] = (e0 + e1);
        tmp[8 * i + 4] = (e0 - e1);
        int z1 = (e2 + e3) * 181 >> 8;
        tmp[8 * i + 2] = (e3 + z1);
        tmp[8 * i + 6] = (e3 - z1);
        int q0 = d3 + d2, q1 = d2 + d1, q2 = d1 + d0;
        int z5 = (q0 - q2) * 98 >> 8;
        int z2 = (139 * q0 >> 8) + z5, z4 = (334 * q2 >> 8) + z5, z3 = q1 * 181 >> 8;
        int z11 = d0 + z3, z13 = d0 - z3;
        tmp[8 * i + 5] = (z13 + z2);
        tmp[8 * i + 3] = (z13 - z2);
        tmp[8 * i + 1] = (z11 + z4);
        tmp[8 * i + 7] = (z11 - z4);
    }
    for (int i = 0; i < 8; i++) {
        int s0 = tmp[8 * 0 + i] + tmp[8 * 7 + i];
        int s1 = tmp[8 * 1 + i] + tmp[8 * 6 + i];
        int s2 = tmp[8 * 2 + i] + tmp[8 * 5 + i];
        int s3 = tmp[8 * 3 + i] + tmp[8 * 4 + i];
        int d0 = tmp[8 * 0 + i] - tmp[8 * 7 + i];
        int d1 = tmp[8 * 1 + i] - tmp[8 * 6 + i];
        int d2 = tmp[8 * 2 + i] - tmp[8 * 5 + i];
        int d3 = tmp[8 * 3 + i] - tmp[8 * 4 + i];
        int e0 = s0 + s3, e1 = s1 + s2, e2 = s1 - s2, e3 = s0 - s3;
        block[8 * 0 + i] = (e0 + e1) >> 3;
        block[8 * 4 + i] = (e0 - e1) >> 3;
        int z1 = (e2 + e3) * 181 >> 8;
        block[8 * 2 + i] = (e3 + z1) >> 3;
        block[8 * 6 + i] = (e3 - z1) >> 3;
        int q0 = d3 + d2, q1 = d2 + d1, q2 = d1 + d0;
        int z5 = (q0 - q2) * 98 >> 8;
        int z2 = (139 * q0 >> 8) + z5, z4 = (334 * q2 >> 8) + z5, z3 = q1 * 181 >> 8;
        int z11 = d0 + z3, z13 = d0 - z3;
        block[8 * 5 + i] = (z13 + z2) >> 3;
        block[8 * 3 + i] = (z13 - z2) >> 3;
        block[8 * 1 + i] = (z11 + z4) >> 3;
        block[8 * 7 + i] = (z11 - z4) >> 3;
    }
#pragma endscop
}
int main(void)
{
    int16_t b[64];
    for (int i = 0; i < 64; i++) b[i] = (int16_t)(next_word() % 256) - 128;
    fdct(b);
    show("dct", b, sizeof b);
}
