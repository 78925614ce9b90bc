/* Filters of grey pictures with a stride. */
#include "data.h"

typedef struct Image {
    int width, height, stride;
    uint8_t *data;
} Image;

#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))

static inline uint8_t pixel_clamped(const Image *img, int x, int y)
{
    x = CLAMP(x, 0, img->width - 1);
    y = CLAMP(y, 0, img->height - 1);
    return img->data[y * img->stride + x];
}

void blur3(const Image *src, Image *dst)
{
#pragma scop
    for (int y = 0; y < src->height; y++) {
        for (int x = 0; x < src->width; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += pixel_clamped(src, x + dx, y + dy);
            dst->data[y * dst->stride + x] = (uint8_t)((sum + 4) / 9);
        }
    }
#pragma endscop
}

/* Contrast stretch: the darkest becomes 0, the brightest 255. */
void stretch_contrast(Image *img)
{
    int lo = 255, hi = 0;
#pragma scop
    for (int y = 0; y < img->height; y++) {
        const uint8_t *row = img->data + y * img->stride;
        for (int x = 0; x < img->width; x++) {
            if (row[x] < lo)
                lo = row[x];
            if (row[x] > hi)
                hi = row[x];
        }
    }
    if (hi > lo) {
        for (int y = 0; y < img->height; y++) {
            uint8_t *row = img->data + y * img->stride;
            for (int x = 0; x < img->width; x++)
                row[x] = (uint8_t)((row[x] - lo) * 255 / (hi - lo));
        }
    }
#pragma endscop
}

/* Separable filter with a kernel of integers, the sum of which is 1 << shift. */
void convolve_separable(const Image *src, Image *dst, int *tmp, const int *kernel, int radius,
                        int shift)
{
    int w = src->width, h = src->height;
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int acc = 0;
            for (int k = -radius; k <= radius; k++) {
                int xx = x + k;
                if (xx < 0)
                    xx = 0;
                else if (xx >= w)
                    xx = w - 1;
                acc += kernel[k + radius] * src->data[y * src->stride + xx];
            }
            tmp[y * w + x] = acc;
        }
    }
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int acc = 1 << (2 * shift - 1);
            for (int k = -radius; k <= radius; k++) {
                int yy = y + k;
                if (yy < 0)
                    yy = 0;
                else if (yy >= h)
                    yy = h - 1;
                acc += kernel[k + radius] * tmp[yy * w + x];
            }
            dst->data[y * dst->stride + x] = (uint8_t)CLAMP(acc >> (2 * shift), 0, 255);
        }
    }
#pragma endscop
}

int main(void)
{
    static const int kernel[5] = {1, 4, 6, 4, 1};
    DATA_EACH(n) {
        int h = n / 2 + 1;
        Image a = {n, h, n + 5, data_bytes((n + 5) * h)};
        Image b = {n, h, n + 2, data_bytes((n + 2) * h)};
        int *tmp = data_ints(n * h, 2);
        blur3(&a, &b);
        data_show("blur", n, b.data, b.stride * h);
        stretch_contrast(&b);
        data_show("stretch", n, b.data, b.stride * h);
        convolve_separable(&a, &b, tmp, kernel, 2, 4);
        data_show("separable", n, b.data, b.stride * h);
        convolve_separable(&b, &b, tmp, kernel, 2, 4);
        data_show("separable in place", n, b.data, b.stride * h);
    }
}
