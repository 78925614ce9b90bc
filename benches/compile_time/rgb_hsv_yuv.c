#include "numbers.h"
void convert(uint8_t *restrict out, const uint8_t *restrict in, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int r = in[3 * (y * w + x)], g = in[3 * (y * w + x) + 1], b = in[3 * (y * w + x) + 2];
            int max = r > g ? (r > b ? r : b) : (g > b ? g : b);
            int min = r < g ? (r < b ? r : b) : (g < b ? g : b);
            int delta = max - min;
            int s = max ? 255 * delta / max : 0;
            int hue = 0;
            if (delta) {
                if (max == r) hue = 43 * (g - b) / delta;
                else if (max == g) hue = 85 + 43 * (b - r) / delta;
                else hue = 171 + 43 * (r - g) / delta;
            }
            int yy = (66 * r + 129 * g + 25 * b + 128 >> 8) + 16;
            int u = (-38 * r - 74 * g + 112 * b + 128 >> 8) + 128;
            int v = (112 * r - 94 * g - 18 * b + 128 >> 8) + 128;
            out[6 * (y * w + x)] = hue;
            out[6 * (y * w + x) + 1] = s;
            out[6 * (y * w + x) + 2] = max;
            out[6 * (y * w + x) + 3] = yy;
            out[6 * (y * w + x) + 4] = u;
            out[6 * (y * w + x) + 5] = v;
        }
#pragma endscop
}
int main(void)
{
    static uint8_t o[6 * 70], i[3 * 70];
    fill(i, sizeof i);
    convert(o, i, 10, 7);
    show("colours", o, sizeof o);
}
