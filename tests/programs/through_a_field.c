#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n;
    float *out;
} layer;

typedef struct {
    layer inner;
    int gain;
} nest;

static void direct(int n, layer l, const int *in)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float m = -1;
        for (int j = 0; j < 3; j++)
            m += in[3 * i + j];
        l.out[i] = m;
    }
#pragma endscop
}

static void copied(int n, const nest *m, const int *restrict in)
{
    layer l = m->inner;
    nest all = *m;
    float *restrict p = l.out + 20;
#pragma scop
    for (int i = 0; i < n; i++) {
        float q = 0;
        for (int j = 0; j < 3; j++)
            q += in[3 * i + j];
        l.out[i] = q;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        float q = 1;
        for (int j = 0; j < 3; j++)
            q += in[3 * i + j];
        p[i] = q;
    }
#pragma endscop
#pragma scop
    for (int i = 0; i < n; i++) {
        float q = 2;
        for (int j = 0; j < 3; j++)
            q += in[3 * i + j];
        all.inner.out[i + 40] = q;
    }
#pragma endscop
}

int main(void)
{
    int in[60];
    float out[60];
    for (int i = 0; i < 60; i++)
        in[i] = i;
    layer l = {20, out};
    direct(20, l, in);
    for (int i = 0; i < 20; i++)
        printf("%g ", out[i]);
    nest n = {l, 2};
    copied(20, &n, in);
    for (int i = 0; i < 60; i++)
        printf("%g ", out[i]);
}
