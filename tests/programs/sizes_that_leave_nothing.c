// One size leaves nothing to do, and the others are the largest there are: arrays of the region that
// would have all of them as extents are not asked for.
#include <limits.h>
#include <stdio.h>

static void conv(int k, int stride, int oh, int ow, const float *restrict in, float *restrict out)
{
#pragma scop
    for (int y = 0; y < oh; y++)
        for (int x = 0; x < ow; x++) {
            float acc = 0.0f;
            for (int ky = 0; ky < k; ky++) {
                int iy = y * stride + ky;
                if (iy >= 64)
                    continue;
                for (int kx = 0; kx < k; kx++)
                    acc += in[iy * 64 + x * stride + kx];
            }
            out[y * ow + x] = acc;
        }
#pragma endscop
}

int main(void)
{
    static float in[64 * 80], out[64 * 64];
    for (int i = 0; i < 64 * 80; i++)
        in[i] = i % 13 * 0.5f;
    conv(INT_MAX, 1, 0, INT_MAX, in, out);
    conv(INT_MAX, 1, -1, INT_MAX, in, out);
    conv(0, 1, 40, 50, in, out);
    conv(5, 1, 60, 0, in, out);
    conv(3, 2, 30, 20, in, out);
    double sum = 0;
    for (int i = 0; i < 600; i++)
        sum = sum * 0.99 + out[i];
    printf("%.17g\n", sum);
}
