/* Rows of arrays through pointers: shorter than a row, as long, and longer, into the next ones. */
#include "data.h"

#define H 20
#define W 24
static float grid[H][W], other[H][W];
struct pixel { float c[4]; };
struct frame { int w, h; float lines[12][16]; float extra[32]; };

static void scale(float *x, float f, int n) { for (int i = 0; i < n; i++) x[i] *= f; }
static float dot(const float *a, const float *b, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}
void rows(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float *r = grid[i];
        const float *o = &other[i][1];
        for (int j = 0; j < m; j++)
            r[j] = r[j] * 0.5f + o[j];
    }
#pragma endscop
}
void scaled(int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        scale(grid[i], 0.75f, m);
    for (int i = 0; i < n; i++)
        scale(grid[i] + 2, 1.25f, m);
#pragma endscop
}
void gram(float g[H][H], int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            g[i][k] = dot(grid[i], other[k], m);
#pragma endscop
}
void whole(void)
{
#pragma scop
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
            grid[i][j] += 1;
    scale(&grid[0][0], 0.5f, H * W);
    float *p = grid[2];
    for (int k = 0; k < 3 * W; k++)
        *p++ *= 0.5f;
#pragma endscop
}
void shifted(int m)
{
#pragma scop
    for (int i = 1; i < H; i++) {
        float *r = grid[i] - m;
        for (int j = 0; j < W; j++)
            r[j] += 1;
    }
#pragma endscop
}
void samples(float (*image)[3], struct pixel *wide, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        float *row = image[y * w];
        for (int x = 0; x < 3 * w; x++)
            row[x] *= 0.5f;
        for (int x = 0; x < w; x++)
            image[y * w + x][1] += 1;
    }
    for (int y = 0; y < h; y++) {
        float *row = wide[y * w].c;
        for (int x = 0; x < 4 * w; x++)
            row[x] *= 0.5f;
    }
#pragma endscop
}
void members(struct frame *f, int m)
{
#pragma scop
    for (int y = 0; y < f->h; y++) {
        float *line = f->lines[y];
        for (int x = 0; x < m; x++)
            line[x] += f->extra[x];
    }
    float *e = f->extra;
    for (int x = 0; x < 32; x++)
        e[x] *= 0.5f;
    memset(f->lines[1], 0, sizeof f->lines[1]);
    memset(f->lines[2], 0, m * sizeof(float));
#pragma endscop
}
void counts(int (*table)[16], const unsigned char *bytes, int n)
{
#pragma scop
    for (int t = 0; t < 4; t++) {
        int *own = table[t];
        for (int k = 0; k < n; k++)
            own[bytes[k]]++;
    }
    for (int t = 0; t < 4; t++) {
        int *own = table[t];
        for (int k = 0; k < n; k++)
            own[bytes[k] & 15] += 2;
    }
#pragma endscop
}

int main(void)
{
    float *data = data_floats(3 * 200 + 4 * 200);
    unsigned char *bytes = data_bytes(60);
    static struct frame f = { 16, 12 };
    static float g[H][H];
    static int table[24][16];
    for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
            grid[i][j] = (float)(i * 7 % 13) + j * 0.25f;
            other[i][j] = (float)(j * 5 % 11) - i * 0.5f;
        }
    for (int m = 0; m <= 60; m += 12) {
        rows(H - 3, m);
        scaled(H - 3, m);
        gram(g, H - 3, m);
        whole();
        shifted(m / 8);
        for (int x = 0; x < 32; x++)
            f.extra[x] = x + m;
        members(&f, m < 16 ? m : 16);
        f.h = 9;
        members(&f, m < 32 ? m : 32);
        f.h = 12;
        samples((float (*)[3])data, (struct pixel *)(data + 600), 20, m / 6);
        counts(table, bytes, m);
        data_show("grid", m, grid, sizeof grid);
        data_show("gram", m, g, sizeof g);
        data_show("members", m, &f, sizeof f);
        data_show("samples", m, data, 1400 * sizeof *data);
        data_show("counts", m, table, sizeof table);
    }
    free(data);
    free(bytes);
    return 0;
}
