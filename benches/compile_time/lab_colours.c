#include "numbers.h"
void lab(float *restrict l, float *restrict a, float *restrict b, const float *restrict rgb, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float r = rgb[3 * i], g = rgb[3 * i + 1], bl = rgb[3 * i + 2];
        float rl = r * (r * (r * 0.305306011f + 0.682171111f) + 0.012522878f);
        float gl = g * (g * (g * 0.305306011f + 0.682171111f) + 0.012522878f);
        float b2 = bl * (bl * (bl * 0.305306011f + 0.682171111f) + 0.012522878f);
        float x = 0.4124f * rl + 0.3576f * gl + 0.1805f * b2;
        float y = 0.2126f * rl + 0.7152f * gl + 0.0722f * b2;
        float z = 0.0193f * rl + 0.1192f * gl + 0.9505f * b2;
        float fx = x > 0.008856f ? cbrtf(x) : 7.787f * x + 0.1379f;
        float fy = y > 0.008856f ? cbrtf(y) : 7.787f * y + 0.1379f;
        float fz = z > 0.008856f ? cbrtf(z) : 7.787f * z + 0.1379f;
        l[i] = 116 * fy - 16;
        a[i] = 500 * (fx - fy);
        b[i] = 200 * (fy - fz);
    }
#pragma endscop
}
int main(void)
{
    float l[9], a[9], b[9], rgb[27];
    fill_floats(rgb, 27);
    lab(l, a, b, rgb, 9);
    show("l", l, sizeof l); show("a", a, sizeof a); show("b", b, sizeof b);
}
