/* Pointers that one name stands for several times, and pointers that are null at a border. */
#include "data.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* Distances to the nearest set cell, by two passes over the picture. */
void chamfer(const unsigned char *mask, int *d, int w, int h)
{
    const int big = 1 << 28;
    int x, y, v, *row, *prev, *next;
#pragma scop
    for (x = 0; x < w * h; x++)
        d[x] = mask[x] ? 0 : big;
    for (y = 0; y < h; y++) {
        row = d + y * w;
        prev = y > 0 ? row - w : NULL;
        for (x = 0; x < w; x++) {
            v = row[x];
            if (x > 0)
                v = MIN(v, row[x - 1] + 3);
            if (prev) {
                v = MIN(v, prev[x] + 3);
                if (x > 0)
                    v = MIN(v, prev[x - 1] + 4);
                if (x < w - 1)
                    v = MIN(v, prev[x + 1] + 4);
            }
            row[x] = v;
        }
    }
    for (y = h - 1; y >= 0; y--) {
        row = d + y * w;
        next = y < h - 1 ? row + w : NULL;
        for (x = w - 1; x >= 0; x--) {
            v = row[x];
            if (x < w - 1)
                v = MIN(v, row[x + 1] + 3);
            if (next != NULL) {
                v = MIN(v, next[x] + 3);
                if (x < w - 1)
                    v = MIN(v, next[x + 1] + 4);
                if (x > 0)
                    v = MIN(v, next[x - 1] + 4);
            }
            row[x] = v;
        }
    }
#pragma endscop
}

/* A row above, or none. */
void differences(const short *in, short *out, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        const short *row = in + y * w;
        const short *above = y == 0 ? 0 : row - w;
        for (int x = 0; x < w; x++)
            out[y * w + x] = (short)(row[x] - (!above ? 0 : above[x]));
    }
#pragma endscop
}

/* Sums over windows of three rows in two passes through a plane in between. */
void boxes(const unsigned char *src, long stride, int *tmp, unsigned char *out, int w, int h)
{
#pragma scop
    const unsigned char *s = src;
    int *t = tmp;
    for (int y = 0; y < h + 2; y++) {
        for (int x = 0; x < w; x++)
            t[x] = s[x] + s[x + 1] + s[x + 2];
        t += w;
        s += stride;
    }
    t = tmp + w;
    s = src;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int v = t[x - w] + t[x] + t[x + w];
            *out++ = (unsigned char)((v + s[x]) / 10);
        }
        t += w;
        s += stride;
    }
#pragma endscop
}

/* What is left in the pointer is read behind. */
int last(int *a, int *b, int n)
{
    int *p;
#pragma scop
    p = a;
    for (int i = 0; i < n; i++)
        *p++ = i;
    p = b;
    for (int i = 0; i < n; i++)
        *p++ += a[i];
#pragma endscop
    return (int)(p - b);
}

/* The second life begins under a condition. */
void sometimes(int *a, int *b, int n, int other)
{
    int *p;
#pragma scop
    p = a;
    for (int i = 0; i < n; i++)
        p[i] += 1;
    if (other)
        p = b;
    for (int i = 0; i < n; i++)
        p[i] += 2;
#pragma endscop
}

/* What it points at if it is used may be null itself. */
int weighted(const int *a, const int *weights, int n, int use)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        const int *w = use ? &*weights : NULL;
        sum += w ? a[i] * w[i] : a[i];
    }
#pragma endscop
    return sum;
}

/* A bound that is set in front of each loop. */
void bounds(const int *a, int *b, int w, int h)
{
    int i, j, end;
#pragma scop
    end = h;
    for (i = 0; i < end; i++) {
        int e = w;
        for (j = 0; j < e; j++)
            b[i * w + j] = a[i * w + j] + i;
    }
    end = w * h;
    for (i = 0; i < end; i++)
        b[i] ^= 3;
    end = b[0] & 7;
    for (i = 0; i < end; i++)
        b[i] += end;
#pragma endscop
}

int main(void)
{
    for (int n = 0; n <= 40; n += n < 3 ? 1 : 37) {
        int w = n + 2, h = n + 1;
        size_t all = (size_t)(w + 4) * (h + 4);
        unsigned char *mask = data_bytes(all), *bytes = data_bytes(all);
        int *d = data_ints(all, 100), *e = data_ints(all, 100);
        short *s = data_bytes(2 * all), *t = data_bytes(2 * all);
        for (size_t k = 0; k < all; k++)
            mask[k] = mask[k] > 250;
        chamfer(mask, d, w, h);
        data_show("chamfer", n, d, all * sizeof *d);
        differences(s, t, w, h);
        data_show("differences", n, t, 2 * all);
        differences(t, t + 3, w, h);
        data_show("differences over itself", n, t, 2 * all);
        boxes(bytes, w + 2, e, mask, w, h);
        data_show("boxes", n, mask, all);
        boxes(bytes, w + 2, e, bytes + 2, w, h);
        data_show("boxes over itself", n, bytes, all);
        int end = last(d, e, n);
        data_show("last", n, &end, sizeof end);
        data_show("last", n, e, all * sizeof *e);
        end = last(d, d + 1, n);
        data_show("last over itself", n, d, all * sizeof *d);
        sometimes(d, e, n, n & 1);
        data_show("sometimes", n, d, all * sizeof *d);
        data_show("sometimes", n, e, all * sizeof *e);
        int sums[3] = {weighted(d, e, n, 1), weighted(d, e, n, 0), weighted(d, NULL, n, 1)};
        data_show("weighted", n, sums, sizeof sums);
        bounds(d, e, w, h);
        data_show("bounds", n, e, all * sizeof *e);
        bounds(e, e + 1, w, h);
        data_show("bounds over itself", n, e, all * sizeof *e);
        free(mask), free(bytes), free(d), free(e), free(s), free(t);
    }
    return 0;
}
