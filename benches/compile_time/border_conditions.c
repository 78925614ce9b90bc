#include "numbers.h"
void sobel(int *restrict out, const int *restrict in, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int gx, gy;
            if (y == 0) {
                if (x == 0) { gx = in[1] - in[0]; gy = in[w] - in[0]; }
                else if (x == w - 1) { gx = in[x] - in[x - 1]; gy = in[w + x] - in[x]; }
                else { gx = in[x + 1] - in[x - 1]; gy = in[w + x] - in[x]; }
            } else if (y == h - 1) {
                if (x == 0) { gx = in[y * w + 1] - in[y * w]; gy = in[y * w] - in[(y - 1) * w]; }
                else if (x == w - 1) { gx = in[y * w + x] - in[y * w + x - 1]; gy = in[y * w + x] - in[(y - 1) * w + x]; }
                else { gx = in[y * w + x + 1] - in[y * w + x - 1]; gy = in[y * w + x] - in[(y - 1) * w + x]; }
            } else {
                if (x == 0) { gx = in[y * w + 1] - in[y * w]; gy = in[(y + 1) * w] - in[(y - 1) * w]; }
                else if (x == w - 1) { gx = in[y * w + x] - in[y * w + x - 1]; gy = in[(y + 1) * w + x] - in[(y - 1) * w + x]; }
                else { gx = in[y * w + x + 1] - in[y * w + x - 1]; gy = in[(y + 1) * w + x] - in[(y - 1) * w + x]; }
            }
            out[y * w + x] = gx * gx + gy * gy;
        }
#pragma endscop
}
int main(void)
{
    static int o[130], i[130];
    for (int k = 0; k < 130; k++) i[k] = next_word() % 256;
    sobel(o, i, 13, 10);
    show("o", o, sizeof o);
}
