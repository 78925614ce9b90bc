#include "numbers.h"
void filters(float *restrict out, const float *restrict in, const float b[4][5], float z[4][2], int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float x = in[i];
        for (int s = 0; s < 4; s++) {
            float y = b[s][0] * x + z[s][0];
            z[s][0] = b[s][1] * x - b[s][3] * y + z[s][1];
            z[s][1] = b[s][2] * x - b[s][4] * y;
            x = y;
        }
        out[i] = x;
    }
#pragma endscop
}
int main(void)
{
    float o[30], in[30], b[4][5], z[4][2] = {0};
    fill_floats(in, 30); fill_floats(&b[0][0], 20);
    filters(o, in, (const float (*)[5])b, z, 30);
    show("o", o, sizeof o);
}
