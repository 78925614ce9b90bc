/* Colours: planes of luma and chroma, packed pairs, hues, palettes. */
#include "data.h"

static inline uint8_t clip8(int v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

void rgb_to_yuv420(const uint8_t *rgb, int w, int h, uint8_t *yp, uint8_t *up, uint8_t *vp)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const uint8_t *p = &rgb[(y * w + x) * 3];
            int r = p[0], g = p[1], b = p[2];
            yp[y * w + x] = (uint8_t)(((66 * r + 129 * g + 25 * b + 128) >> 8) + 16);
            if (x % 2 == 0 && y % 2 == 0) {
                int c = (y / 2) * ((w + 1) / 2) + x / 2;
                up[c] = (uint8_t)(((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128);
                vp[c] = (uint8_t)(((112 * r - 94 * g - 18 * b + 128) >> 8) + 128);
            }
        }
    }
#pragma endscop
}

void yuyv_to_rgb(const uint8_t *src, uint8_t *dst, int pixels)
{
#pragma scop
    for (int i = 0; i < pixels; i += 2) {
        int y0 = (src[0] - 16) * 298, u = src[1] - 128, y1 = (src[2] - 16) * 298, v = src[3] - 128;
        int rd = 409 * v + 128, gd = -100 * u - 208 * v + 128, bd = 516 * u + 128;
        *dst++ = clip8((y0 + rd) >> 8);
        *dst++ = clip8((y0 + gd) >> 8);
        *dst++ = clip8((y0 + bd) >> 8);
        *dst++ = clip8((y1 + rd) >> 8);
        *dst++ = clip8((y1 + gd) >> 8);
        *dst++ = clip8((y1 + bd) >> 8);
        src += 4;
    }
#pragma endscop
}

struct rgb { uint8_t r, g, b; };
struct hsv { uint16_t h; uint8_t s, v; };

void to_hsv(const struct rgb *in, struct hsv *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int r = in[i].r, g = in[i].g, b = in[i].b;
        int max = r > g ? r : g, min = r < g ? r : g;
        if (b > max) max = b;
        if (b < min) min = b;
        int delta = max - min, hue;
        out[i].v = (uint8_t)max;
        if (delta == 0) {
            out[i].h = 0;
            out[i].s = 0;
            continue;
        }
        out[i].s = (uint8_t)(255 * delta / max);
        if (max == r)
            hue = 60 * (g - b) / delta;
        else if (max == g)
            hue = 120 + 60 * (b - r) / delta;
        else
            hue = 240 + 60 * (r - g) / delta;
        if (hue < 0)
            hue += 360;
        out[i].h = (uint16_t)hue;
    }
#pragma endscop
}

/* Returns the sum of the squared errors. */
long map_to_palette(const struct rgb *in, int n, const struct rgb *palette, int colours,
                    uint8_t *index)
{
    long error = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 1 << 30;
        for (int c = 0; c < colours; c++) {
            int dr = in[i].r - palette[c].r;
            int dg = in[i].g - palette[c].g;
            int db = in[i].b - palette[c].b;
            int d = dr * dr + dg * dg + db * db;
            if (d < best) {
                best = d;
                index[i] = (uint8_t)c;
                if (d == 0)
                    break;
            }
        }
        error += best;
    }
#pragma endscop
    return error;
}

int main(void)
{
    DATA_EACH(n) {
        int h = n / 4 + 1;
        uint8_t *rgb = data_bytes(n * h * 3 + 6), *y = data_bytes(n * h + 4);
        int chroma = ((n + 1) / 2) * ((h + 1) / 2);
        uint8_t *u = data_bytes(chroma), *v = data_bytes(chroma);
        rgb_to_yuv420(rgb, n, h, y, u, v);
        data_show("y", n, y, n * h);
        data_show("u", n, u, chroma);
        data_show("v", n, v, chroma);
        int pairs = n * h / 4 * 2;
        yuyv_to_rgb(y, rgb, pairs);
        data_show("yuyv", n, rgb, pairs * 3);
        struct rgb *in = data_bytes(n * sizeof *in);
        struct hsv *out = data_bytes(n * sizeof *out);
        to_hsv(in, out, n);
        data_show("hsv", n, out, n * sizeof *out);
        uint8_t *index = data_bytes(n);
        long error = map_to_palette(in, n, data_bytes(16 * 3), 16, index);
        data_show("palette", (int)(error % 1000000), index, n);
    }
}
