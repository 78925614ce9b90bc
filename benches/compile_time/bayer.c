#include "numbers.h"
void demosaic(uint16_t *restrict rgb, const uint16_t *restrict raw, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int c = raw[y * w + x];
            int cross = (raw[(y - 1) * w + x] + raw[(y + 1) * w + x] + raw[y * w + x - 1] + raw[y * w + x + 1]) / 4;
            int diag = (raw[(y - 1) * w + x - 1] + raw[(y - 1) * w + x + 1] + raw[(y + 1) * w + x - 1] + raw[(y + 1) * w + x + 1]) / 4;
            int hor = (raw[y * w + x - 1] + raw[y * w + x + 1]) / 2;
            int ver = (raw[(y - 1) * w + x] + raw[(y + 1) * w + x]) / 2;
            if (y % 2 == 0 && x % 2 == 0) { rgb[3 * (y * w + x)] = c; rgb[3 * (y * w + x) + 1] = cross; rgb[3 * (y * w + x) + 2] = diag; }
            else if (y % 2 == 0) { rgb[3 * (y * w + x)] = hor; rgb[3 * (y * w + x) + 1] = c; rgb[3 * (y * w + x) + 2] = ver; }
            else if (x % 2 == 0) { rgb[3 * (y * w + x)] = ver; rgb[3 * (y * w + x) + 1] = c; rgb[3 * (y * w + x) + 2] = hor; }
            else { rgb[3 * (y * w + x)] = diag; rgb[3 * (y * w + x) + 1] = cross; rgb[3 * (y * w + x) + 2] = c; }
        }
#pragma endscop
}
int main(void)
{
    static uint16_t o[3 * 130], i[130];
    fill(i, sizeof i);
    demosaic(o, i, 13, 10);
    show("o", o, sizeof o);
}
