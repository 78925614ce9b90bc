/* Drawing into a frame buffer: lines, triangles with depth, and blending of a sprite. */
#include "data.h"

typedef struct {
    int w, h;
    uint32_t *color;
    float *depth;
} Frame;

static inline int iabs(int v) { return v < 0 ? -v : v; }

void draw_line(Frame *f, int x0, int y0, int x1, int y1, uint32_t color)
{
    int dx = iabs(x1 - x0), sx = x0 < x1 ? 1 : -1;
    int dy = -iabs(y1 - y0), sy = y0 < y1 ? 1 : -1;
    int err = dx + dy;
#pragma scop
    for (;;) {
        if (x0 >= 0 && x0 < f->w && y0 >= 0 && y0 < f->h)
            f->color[y0 * f->w + x0] = color;
        if (x0 == x1 && y0 == y1)
            break;
        int e2 = 2 * err;
        if (e2 >= dy) {
            err += dy;
            x0 += sx;
        }
        if (e2 <= dx) {
            err += dx;
            y0 += sy;
        }
    }
#pragma endscop
}

/* The corners are x, y, z three times. */
void fill_triangle(Frame *f, const float v[3][3], uint32_t color)
{
    float area = (v[1][0] - v[0][0]) * (v[2][1] - v[0][1])
               - (v[1][1] - v[0][1]) * (v[2][0] - v[0][0]);
    if (area == 0)
        return;
#pragma scop
    for (int y = 0; y < f->h; y++) {
        for (int x = 0; x < f->w; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            float w0 = ((v[1][0] - px) * (v[2][1] - py) - (v[1][1] - py) * (v[2][0] - px)) / area;
            float w1 = ((v[2][0] - px) * (v[0][1] - py) - (v[2][1] - py) * (v[0][0] - px)) / area;
            float w2 = 1 - w0 - w1;
            if (w0 < 0 || w1 < 0 || w2 < 0)
                continue;
            float z = w0 * v[0][2] + w1 * v[1][2] + w2 * v[2][2];
            if (z < f->depth[y * f->w + x]) {
                f->depth[y * f->w + x] = z;
                f->color[y * f->w + x] = color;
            }
        }
    }
#pragma endscop
}

#define ALPHA(c) ((c) >> 24)
#define BLEND(s, d, a, shift)                                                                     \
    ((((((s) >> (shift)) & 255) * (a) + (((d) >> (shift)) & 255) * (255 - (a))) / 255) << (shift))

void draw_sprite(Frame *f, const uint32_t *sprite, int sw, int sh, int left, int top)
{
#pragma scop
    for (int y = 0; y < sh; y++) {
        int ty = top + y;
        if (ty < 0)
            continue;
        if (ty >= f->h)
            break;
        for (int x = 0; x < sw; x++) {
            int tx = left + x;
            if (tx < 0 || tx >= f->w)
                continue;
            uint32_t s = sprite[y * sw + x];
            uint32_t *d = &f->color[ty * f->w + tx];
            uint32_t a = ALPHA(s);
            if (a == 0)
                continue;
            if (a == 255)
                *d = s;
            else
                *d = 0xff000000u | BLEND(s, *d, a, 16) | BLEND(s, *d, a, 8) | BLEND(s, *d, a, 0);
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        Frame f = {n, n / 2 + 1, data_bytes(n * (n / 2 + 1) * 4), data_floats(n * (n / 2 + 1))};
        float tri[3][3] = {{-3, 1, 0.5f}, {(float)n * 0.9f, 4, -0.6f}, {(float)n / 3, (float)n, 0}};
        draw_line(&f, -2, 3, n, n / 3, 0xff00ff00u);
        draw_line(&f, n / 2, n, n / 2 + 1, -4, 0xffff0000u);
        data_show("line", n, f.color, f.w * f.h * sizeof *f.color);
        fill_triangle(&f, (const float (*)[3])tri, 0xff123456u);
        data_show("triangle", n, f.depth, f.w * f.h * sizeof *f.depth);
        draw_sprite(&f, data_bytes(20 * 15 * 4), 20, 15, n / 2 - 5, -3);
        data_show("sprite", n, f.color, f.w * f.h * sizeof *f.color);
    }
}
