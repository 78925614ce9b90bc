/* A box blur of bytes; beyond the border the image goes on with its last pixel. */
#include "data.h"

static inline uint8_t clamp_at(const uint8_t *p, int w, int h, int x, int y)
{
    if (x < 0)
        x = 0;
    if (y < 0)
        y = 0;
    if (x >= w)
        x = w - 1;
    if (y >= h)
        y = h - 1;
    return p[y * w + x];
}

void blur(const uint8_t *restrict in, uint8_t *restrict out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += clamp_at(in, w, h, x + dx, y + dy);
            out[y * w + x] = sum / 9;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int w = n, h = n / 2 + 1;
        uint8_t *in = data_bytes(w * h), *out = data_bytes(w * h);
        blur(in, out, w, h);
        data_show("blur", n, out, w * h);
    }
}
