/* Turning, mirroring and resizing pictures. */
#include "data.h"

typedef struct {
    uint8_t r, g, b, a;
} Pixel;

void flip_horizontal(Pixel *pix, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        Pixel *left = pix + y * w;
        Pixel *right = left + w - 1;
        while (left < right) {
            Pixel t = *left;
            *left++ = *right;
            *right-- = t;
        }
    }
#pragma endscop
}

void flip_vertical(unsigned char *pix, int w, int h, int channels)
{
    int bytes = w * channels;
    unsigned char line[512];
#pragma scop
    for (int y = 0; y < h / 2; y++) {
        unsigned char *a = pix + y * bytes;
        unsigned char *b = pix + (h - 1 - y) * bytes;
        memcpy(line, a, bytes);
        memcpy(a, b, bytes);
        memcpy(b, line, bytes);
    }
#pragma endscop
}

void rotate_clockwise(const uint32_t *src, uint32_t *dst, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * h + (h - 1 - y)] = src[y * w + x];
#pragma endscop
}

void resize_nearest(const uint32_t *src, int sw, int sh, uint32_t *dst, int dw, int dh)
{
    if (sw <= 0 || sh <= 0 || dw <= 0 || dh <= 0)
        return;
    unsigned xstep = ((unsigned)sw << 16) / (unsigned)dw;
    unsigned ystep = ((unsigned)sh << 16) / (unsigned)dh;
    unsigned fy = ystep / 2;
#pragma scop
    for (int y = 0; y < dh; y++) {
        const uint32_t *line = src + (fy >> 16) * sw;
        unsigned fx = xstep / 2;
        for (int x = 0; x < dw; x++) {
            *dst++ = line[fx >> 16];
            fx += xstep;
        }
        fy += ystep;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int h = n / 3 + 2;
        Pixel *p = data_bytes(n * h * sizeof *p);
        flip_horizontal(p, n, h);
        data_show("flip h", n, p, n * h * sizeof *p);
        flip_vertical((unsigned char *)p, n, h, 4);
        data_show("flip v", n, p, n * h * sizeof *p);
        uint32_t *q = data_bytes(n * h * sizeof *q);
        rotate_clockwise((uint32_t *)data_bytes(n * h * 4), q, n, h);
        data_show("rotate", n, q, n * h * sizeof *q);
        int dw = n * 3 / 2, dh = h / 2 + 1;
        uint32_t *r = data_bytes(dw * dh * sizeof *r);
        resize_nearest(q, n, h, r, dw, dh);
        data_show("resize", n, r, dw * dh * sizeof *r);
    }
}
