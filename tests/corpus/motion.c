/* Looking for the motion of blocks between two pictures. */
#include "data.h"
#include <limits.h>

#define BLOCK 8

unsigned block_difference(const uint8_t *a, int a_stride, const uint8_t *b, int b_stride,
                          unsigned best)
{
    unsigned sum = 0;
#pragma scop
    for (int y = 0; y < BLOCK; y++) {
        for (int x = 0; x < BLOCK; x++) {
            int d = a[x] - b[x];
            sum += d < 0 ? -d : d;
        }
        if (sum > best)
            break;
        a += a_stride;
        b += b_stride;
    }
#pragma endscop
    return sum;
}

typedef struct {
    int8_t dx, dy;
    uint16_t cost;
} Motion;

void search_motion(const uint8_t *cur, const uint8_t *ref, int w, int h, int range, Motion *mv)
{
    int bw = w / BLOCK;
#pragma scop
    for (int by = 0; by < h / BLOCK; by++) {
        for (int bx = 0; bx < bw; bx++) {
            int best = INT_MAX, best_dx = 0, best_dy = 0;
            for (int dy = -range; dy <= range; dy++) {
                for (int dx = -range; dx <= range; dx++) {
                    int rx = bx * BLOCK + dx, ry = by * BLOCK + dy;
                    if (rx < 0 || ry < 0 || rx + BLOCK > w || ry + BLOCK > h)
                        continue;
                    int sad = 0;
                    for (int y = 0; y < BLOCK && sad < best; y++)
                        for (int x = 0; x < BLOCK; x++)
                            sad += abs(cur[(by * BLOCK + y) * w + bx * BLOCK + x]
                                       - ref[(ry + y) * w + rx + x]);
                    if (sad < best) {
                        best = sad;
                        best_dx = dx;
                        best_dy = dy;
                    }
                }
            }
            mv[by * bw + bx].dx = (int8_t)best_dx;
            mv[by * bw + bx].dy = (int8_t)best_dy;
            mv[by * bw + bx].cost = (uint16_t)best;
        }
    }
#pragma endscop
}

void compensate(const uint8_t *ref, uint8_t *out, int w, int h, const Motion *mv)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            const Motion *m = &mv[(y / BLOCK) * (w / BLOCK) + x / BLOCK];
            out[y * w + x] = ref[(y + m->dy) * w + x + m->dx];
        }
    }
#pragma endscop
}

/* Doubles the size with six taps across and the mean of two lines down. */
void half_pixels(const uint8_t *src, uint8_t *dst, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int p = src[y * w + x];
            int x1 = x + 1 < w ? x + 1 : w - 1, x2 = x + 2 < w ? x + 2 : w - 1;
            int x0 = x > 0 ? x - 1 : 0;
            int v = (9 * (p + src[y * w + x1]) - src[y * w + x0] - src[y * w + x2] + 8) >> 4;
            dst[2 * y * 2 * w + 2 * x] = (uint8_t)p;
            dst[2 * y * 2 * w + 2 * x + 1] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    }
    for (int y = 0; y < h; y++) {
        int below = y + 1 < h ? y + 1 : y;
        for (int x = 0; x < 2 * w; x++)
            dst[(2 * y + 1) * 2 * w + x] =
                (uint8_t)((dst[2 * y * 2 * w + x] + dst[2 * below * 2 * w + x] + 1) / 2);
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int w = n / 16 * 8, h = n / 24 * 8 + 8;
        uint8_t *a = data_bytes(w * h), *b = data_bytes(w * h);
        for (int i = 10; i < w * h; i++)
            a[i] = (uint8_t)(b[i - 10] + (a[i] & 3));
        Motion *mv = calloc(w * h + 1, sizeof *mv);
        search_motion(a, b, w, h, 3, mv);
        data_show("search", n, mv, w * h / 64 * sizeof *mv);
        uint8_t *c = data_bytes(w * h), *big = data_bytes(4 * w * h);
        compensate(b, c, w, h, mv);
        data_show("compensate", n, c, w * h);
        half_pixels(c, big, w, h);
        data_show("half", n, big, 4 * w * h);
        if (w >= 8)
            printf("difference %u %u\n", block_difference(a, w, b, w, 1000000),
                   block_difference(a, w, b, w, 1200));
    }
}
