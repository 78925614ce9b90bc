/* A filter with 16-bit samples, 32-bit sums and rounding, saturated. */
#include "data.h"

enum { TAPS = 9 };

void fir(int n, const int16_t x[restrict n + 8], const int16_t h[restrict 9], int16_t y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int32_t acc = 1 << 14;
        for (int k = 0; k < TAPS; k++)
            acc += (int32_t)x[i + k] * h[TAPS - 1 - k] >> 4;
        acc >>= 11;
        y[i] = acc > 32767 ? 32767 : acc < -32768 ? -32768 : acc;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int16_t *x = data_bytes(2 * (n + 8)), *h = data_bytes(18), *y = data_bytes(2 * n);
        fir(n, x, h, y);
        data_show("fir", n, y, 2 * n);
    }
}
