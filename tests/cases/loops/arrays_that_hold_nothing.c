// What one size leaves empty is not asked for at the others' size.
void conv(int k, int stride, int oh, int ow, const float *restrict in, float *restrict out)
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
// compile: --fork-operations 0 --tile-sizes 8
// code contains: __builtin_malloc(oh >= 1 && ow >= 1 && k >= 1 ? sizeof(int[tw_max(oh, 1)][tw_max(ow, 1)][tw_max(k, 1)]) : sizeof(int))
