#include "numbers.h"
uint32_t crc(const uint8_t *p, int n, uint32_t t[8][256])
{
    uint32_t c = ~0u;
#pragma scop
    for (int i = 0; i < 256; i++) {
        uint32_t r = i;
        for (int k = 0; k < 8; k++)
            r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
        t[0][i] = r;
    }
    for (int s = 1; s < 8; s++)
        for (int i = 0; i < 256; i++)
            t[s][i] = t[s - 1][i] >> 8 ^ t[0][t[s - 1][i] & 255];
    for (int i = 0; i < n; i++) {
        uint32_t a = c ^ (p[8 * i] | p[8 * i + 1] << 8 | p[8 * i + 2] << 16 | (uint32_t)p[8 * i + 3] << 24);
        c = t[7][a & 255] ^ t[6][a >> 8 & 255] ^ t[5][a >> 16 & 255] ^ t[4][a >> 24] ^ t[3][p[8 * i + 4]] ^ t[2][p[8 * i + 5]] ^ t[1][p[8 * i + 6]] ^ t[0][p[8 * i + 7]];
    }
#pragma endscop
    return ~c;
}
int main(void)
{
    static uint32_t t[8][256];
    uint8_t p[80];
    fill(p, sizeof p);
    printf("%08x\n", crc(p, 10, t));
}
