#include "numbers.h"
void noise(float *restrict out, const uint8_t *restrict perm, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float fx = (x % 16) / 16.0f, fy = (y % 16) / 16.0f;
            int cx = x / 16, cy = y / 16;
            int a = perm[(cx + perm[cy & 255]) & 255], b = perm[(cx + 1 + perm[cy & 255]) & 255];
            int c = perm[(cx + perm[(cy + 1) & 255]) & 255], d = perm[(cx + 1 + perm[(cy + 1) & 255]) & 255];
            float u = fx * fx * (3 - 2 * fx), v = fy * fy * (3 - 2 * fy);
            float top = a + u * (b - a), bottom = c + u * (d - c);
            out[y * w + x] = top + v * (bottom - top);
        }
#pragma endscop
}
int main(void)
{
    static float o[40 * 36];
    uint8_t p[256];
    fill(p, sizeof p);
    noise(o, p, 40, 36);
    show("o", o, sizeof o);
}
