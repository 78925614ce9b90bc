#include <stdio.h>
#include <stdlib.h>

struct image {
    int w, h, stride;
    unsigned char *data;
};

static void blur(const struct image *src, struct image *dst)
{
    const unsigned char *restrict in = src->data;
    unsigned char *restrict out = dst->data;
    const int w = src->w;
    const int h = src->h;
    const int stride = src->stride;
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int up = (y - 1) * stride;
            int here = y * stride;
            int down = (y + 1) * stride;
            int sum = in[up + x] + in[down + x];
            int all = sum + in[here + x - 1] + in[here + x + 1] + 4 * in[here + x];
            out[here + x] = all / 8;
        }
#pragma endscop
}

int main(void)
{
    static unsigned char a[20 * 32], b[20 * 32];
    for (int i = 0; i < 640; i++)
        a[i] = i * 29 + i / 9;
    struct image s = {25, 20, 32, a}, d = {25, 20, 32, b};
    blur(&s, &d);
    for (int i = 0; i < 640; i++)
        printf("%d ", b[i]);
}
