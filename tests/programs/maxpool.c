#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int w, h, c;
    const float *in;
    float *out;
    int *where;
} layer;

static void pool(layer l)
{
    int ow = l.w / 2;
    int oh = l.h / 2;
    const float *restrict in = l.in;
    float *restrict out = l.out;
    int *restrict where = l.where;
#pragma scop
    for (int c = 0; c < l.c; c++)
        for (int y = 0; y < oh; y++)
            for (int x = 0; x < ow; x++) {
                int o = x + ow * (y + oh * c);
                float best = -1000;
                int at = -1;
                for (int j = 0; j < 2; j++)
                    for (int i = 0; i < 2; i++) {
                        int iy = 2 * y + j;
                        int ix = 2 * x + i;
                        int p = ix + l.w * (iy + l.h * c);
                        float v = in[p];
                        if (v > best) {
                            best = v;
                            at = p;
                        }
                    }
                out[o] = best;
                where[o] = at;
            }
#pragma endscop
}

int main(void)
{
    static float in[3 * 11 * 9], out[100];
    static int where[100];
    for (int i = 0; i < 297; i++)
        in[i] = i * 37 % 101 - 50;
    layer l = {11, 9, 3, in, out, where};
    pool(l);
    for (int i = 0; i < 60; i++)
        printf("%g %d ", out[i], where[i]);
}
