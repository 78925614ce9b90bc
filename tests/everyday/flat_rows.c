/* One subscript for two dimensions, and others beside it: cells of structures, pixels, planes. */
#include "data.h"

struct cell { double f[9]; int solid; };
struct px { unsigned char c[4]; };
void stream(struct cell *restrict dst, const struct cell *restrict src, int w, int h)
{
#pragma scop
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            for (int k = 0; k < 9; k++)
                dst[y * w + x].f[k] = src[(y - (k / 3 - 1)) * w + x - (k % 3 - 1)].f[k];
            dst[y * w + x].solid = src[y * w + x].solid;
        }
#pragma endscop
}
void collide(struct cell *g, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double rho = 0;
            for (int k = 0; k < 9; k++)
                rho += g[y * w + x].f[k];
            for (int k = 0; k < 9; k++)
                g[y * w + x].f[k] += 0.5 * (rho / 9 - g[y * w + x].f[k]);
        }
#pragma endscop
}
void grey(unsigned char *out, unsigned char (*in)[4], int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = (unsigned char)((in[y * w + x][0] * 77 + in[y * w + x][1] * 150 + in[y * w + x][2] * 29) >> 8);
#pragma endscop
}
#define W 40
#define H 24
static float planes[2][W * H];
void relax(int steps, int w, int h)
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++)
                planes[(t + 1) % 2][y * w + x] = 0.25f * (planes[t % 2][(y - 1) * w + x] + planes[t % 2][(y + 1) * w + x] + planes[t % 2][y * w + x - 1] + planes[t % 2][y * w + x + 1]);
#pragma endscop
}
void inplace(double (*p)[3], int w, int h)
{
#pragma scop
    for (int y = 1; y < h; y++)
        for (int x = 1; x < w; x++)
            for (int c = 0; c < 3; c++)
                p[y * w + x][c] = 0.5 * (p[(y - 1) * w + x][c] + p[y * w + x - 1][2 - c]);
#pragma endscop
}
/* m is w, or more: then rows overlap. */
void overrun(double (*p)[3], int w, int h, int m)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < m; x++)
            for (int c = 0; c < 3; c++)
                p[y * w + x][c] = p[y * w + x][c] * 0.5 + y + x * c;
#pragma endscop
}
void swaprgb(struct px *img, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w / 2; x++)
            for (int c = 0; c < 4; c++) {
                unsigned char t = img[y * w + x].c[c];
                img[y * w + x].c[c] = img[y * w + w - 1 - x].c[c];
                img[y * w + w - 1 - x].c[c] = t;
            }
#pragma endscop
}
int main(void)
{
    DATA_EACH(n) {
        int w = n % W, h = n % H, count = w * h;
        struct cell *a = data_bytes(count * sizeof *a), *b = data_bytes(count * sizeof *b);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 9; k++) {
                a[i].f[k] = (i * 7 + k * 13) % 101 / 10.0;
                b[i].f[k] = k;
            }
        stream(b, a, w, h);
        collide(b, w, h);
        for (int i = 0; i < count; i++)
            data_show("cell", i, b[i].f, sizeof b[i].f);
        unsigned char(*rgb)[4] = data_bytes(4 * count);
        unsigned char *out = data_bytes(count);
        grey(out, rgb, w, h);
        swaprgb((struct px *)rgb, w, h);
        data_show("grey", n, out, count);
        /* Over its own input. */
        grey(rgb[0], rgb, w, h);
        data_show("swapped", n, rgb, 4 * count);
        for (int i = 0; i < W * H; i++) {
            planes[0][i] = i * 37 % 91;
            planes[1][i] = i;
        }
        relax(n, w, h);
        data_show("relaxed", n, planes, sizeof planes);
        double(*p)[3] = (double(*)[3])data_doubles(3 * (W + 4) * H);
        inplace(p, w, h);
        overrun(p, w, h, W);
        overrun(p, w, h, w / 2);
        overrun(p, 0, h, 4);
        data_show("points", n, p, sizeof(double) * 3 * W * H);
    }
    return 0;
}
