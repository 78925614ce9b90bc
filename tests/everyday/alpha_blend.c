/* Source over destination, 8 bits, with the usual division by 255. */
#include "data.h"

void blend(uint8_t *restrict dst, const uint8_t *restrict src, size_t count)
{
#pragma scop
    for (size_t i = 0; i < count; i++) {
        unsigned a = src[4 * i + 3];
        unsigned na = 255 - a;
        for (int c = 0; c < 3; c++) {
            unsigned v = src[4 * i + c] * a + dst[4 * i + c] * na + 128;
            dst[4 * i + c] = (uint8_t)((v + (v >> 8)) >> 8);
        }
        dst[4 * i + 3] = (uint8_t)(a + dst[4 * i + 3] * na / 255);
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        uint8_t *dst = data_bytes(4 * n), *src = data_bytes(4 * n);
        blend(dst, src, n);
        data_show("blend", n, dst, 4 * n);
    }
}
