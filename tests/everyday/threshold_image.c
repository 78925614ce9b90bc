/* A picture in a structure, rows of a pitch of their own. */
#include "data.h"

typedef struct { int width, height, stride; uint8_t *data; } image;

void threshold(const image *in, image *out, int t)
{
#pragma scop
    for (int y = 0; y < in->height; y++) {
        const uint8_t *src = in->data + y * in->stride;
        uint8_t *dst = out->data + y * out->stride;
        for (int x = 0; x < in->width; x++)
            dst[x] = src[x] >= t ? 255 : 0;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int w = n + 2, h = n;
        image in = {w, h, w + 5, data_bytes((w + 5) * h)};
        image out = {w, h, w, data_bytes(w * h)};
        threshold(&in, &out, 100);
        data_show("threshold", n, out.data, w * h);
        /* Rows that overlap, and in place. */
        image narrow = {w, h, w / 2, data_bytes(w * h + w)};
        threshold(&narrow, &narrow, 77);
        data_show("threshold, overlapping", n, narrow.data, w / 2 * h);
    }
}
