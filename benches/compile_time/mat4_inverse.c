#include "numbers.h"
void invert(float *restrict out, const float *restrict in, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        const float *m = in + 16 * k;
        float *o = out + 16 * k;
        float s0 = m[0] * m[5] - m[4] * m[1], s1 = m[0] * m[6] - m[4] * m[2];
        float s2 = m[0] * m[7] - m[4] * m[3], s3 = m[1] * m[6] - m[5] * m[2];
        float s4 = m[1] * m[7] - m[5] * m[3], s5 = m[2] * m[7] - m[6] * m[3];
        float c5 = m[10] * m[15] - m[14] * m[11], c4 = m[9] * m[15] - m[13] * m[11];
        float c3 = m[9] * m[14] - m[13] * m[10], c2 = m[8] * m[15] - m[12] * m[11];
        float c1 = m[8] * m[14] - m[12] * m[10], c0 = m[8] * m[13] - m[12] * m[9];
        float d = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
        o[0] = (m[5] * c5 - m[6] * c4 + m[7] * c3) * d;
        o[1] = (-m[1] * c5 + m[2] * c4 - m[3] * c3) * d;
        o[2] = (m[13] * s5 - m[14] * s4 + m[15] * s3) * d;
        o[3] = (-m[9] * s5 + m[10] * s4 - m[11] * s3) * d;
        o[4] = (-m[4] * c5 + m[6] * c2 - m[7] * c1) * d;
        o[5] = (m[0] * c5 - m[2] * c2 + m[3] * c1) * d;
        o[6] = (-m[12] * s5 + m[14] * s2 - m[15] * s1) * d;
        o[7] = (m[8] * s5 - m[10] * s2 + m[11] * s1) * d;
        o[8] = (m[4] * c4 - m[5] * c2 + m[7] * c0) * d;
        o[9] = (-m[0] * c4 + m[1] * c2 - m[3] * c0) * d;
        o[10] = (m[12] * s4 - m[13] * s2 + m[15] * s0) * d;
        o[11] = (-m[8] * s4 + m[9] * s2 - m[11] * s0) * d;
        o[12] = (-m[4] * c3 + m[5] * c1 - m[6] * c0) * d;
        o[13] = (m[0] * c3 - m[1] * c1 + m[2] * c0) * d;
        o[14] = (-m[12] * s3 + m[13] * s1 - m[14] * s0) * d;
        o[15] = (m[8] * s3 - m[9] * s1 + m[10] * s0) * d;
    }
#pragma endscop
}
int main(void)
{
    static float a[16 * 12], b[16 * 12];
    fill_floats(a, 16 * 12);
    invert(b, a, 12);
    show("inverse", b, sizeof b);
}
