#include "numbers.h"
void subsample(uint8_t *restrict yy, uint8_t *restrict u, uint8_t *restrict v, const uint8_t *restrict rgb, int w, int h)
{
#pragma scop
    for (int j = 0; j < h; j += 2)
        for (int i = 0; i < w; i += 2) {
            int ru = 0, rv = 0;
            for (int b = 0; b < 2; b++)
                for (int a = 0; a < 2; a++) {
                    const uint8_t *p = rgb + 3 * ((j + b) * w + i + a);
                    yy[(j + b) * w + i + a] = (66 * p[0] + 129 * p[1] + 25 * p[2] + 4224) >> 8;
                    ru += -38 * p[0] - 74 * p[1] + 112 * p[2];
                    rv += 112 * p[0] - 94 * p[1] - 18 * p[2];
                }
            u[j / 2 * (w / 2) + i / 2] = (ru / 4 + 32896) >> 8;
            v[j / 2 * (w / 2) + i / 2] = (rv / 4 + 32896) >> 8;
        }
#pragma endscop
}
int main(void)
{
    static uint8_t y[120], u[30], v[30], rgb[360];
    fill(rgb, sizeof rgb);
    subsample(y, u, v, rgb, 12, 10);
    show("y", y, sizeof y); show("u", u, sizeof u); show("v", v, sizeof v);
}
