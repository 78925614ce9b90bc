/* Blocks of eight by eight: transforms, quantisation, the order of the coefficients. */
#include "data.h"
#include <math.h>

void dct_blocks(const uint8_t *pix, int stride, int bw, int bh, float (*out)[64])
{
    float cosines[8][8];
#pragma scop
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 8; x++)
            cosines[u][x] = (u ? 0.5f : 0.35355339f)
                          * cosf((2 * x + 1) * u * 3.14159265f / 16.0f);
    for (int by = 0; by < bh; by++) {
        for (int bx = 0; bx < bw; bx++) {
            const uint8_t *src = pix + by * 8 * stride + bx * 8;
            float *dst = out[by * bw + bx];
            float tmp[8][8];
            for (int y = 0; y < 8; y++)
                for (int u = 0; u < 8; u++) {
                    float s = 0;
                    for (int x = 0; x < 8; x++)
                        s += ((float)src[y * stride + x] - 128.0f) * cosines[u][x];
                    tmp[y][u] = s;
                }
            for (int u = 0; u < 8; u++)
                for (int v = 0; v < 8; v++) {
                    float s = 0;
                    for (int y = 0; y < 8; y++)
                        s += tmp[y][u] * cosines[v][y];
                    dst[v * 8 + u] = s;
                }
        }
    }
#pragma endscop
}

/* The order of the diagonals, back and forth. */
void zigzag_order(int order[64])
{
    int x = 0, y = 0, up = 1;
#pragma scop
    for (int i = 0; i < 64; i++) {
        order[i] = y * 8 + x;
        if (up) {
            if (x == 7) { y++; up = 0; }
            else if (y == 0) { x++; up = 0; }
            else { x++; y--; }
        } else {
            if (y == 7) { x++; up = 1; }
            else if (x == 0) { y++; up = 1; }
            else { x--; y++; }
        }
    }
#pragma endscop
}

/* Returns the number of coefficients that are not zero. */
int quantise(float (*blocks)[64], int count, const uint8_t table[64], const int order[64],
             int16_t *out)
{
    int kept = 0;
#pragma scop
    for (int b = 0; b < count; b++) {
        int last_dc = b > 0 ? out[(b - 1) * 64] : 0;
        for (int k = 0; k < 64; k++) {
            float v = blocks[b][order[k]] / (float)table[order[k]];
            int q = (int)(v < 0 ? v - 0.5f : v + 0.5f);
            if (k == 0)
                q -= last_dc / 2;
            if (q)
                kept++;
            out[b * 64 + k] = (int16_t)q;
        }
    }
#pragma endscop
    return kept;
}

/* A small transform of integers, rows then columns, in place. */
void hadamard4(int *block, int stride, int count)
{
#pragma scop
    for (int b = 0; b < count; b++, block += 4 * stride) {
        for (int i = 0; i < 4; i++) {
            int *r = block + i * stride;
            int s0 = r[0] + r[3], s1 = r[1] + r[2], d0 = r[0] - r[3], d1 = r[1] - r[2];
            r[0] = s0 + s1;
            r[1] = d0 + d1;
            r[2] = s0 - s1;
            r[3] = d0 - d1;
        }
        for (int i = 0; i < 4; i++) {
            int *c = block + i;
            int s0 = c[0] + c[3 * stride], s1 = c[stride] + c[2 * stride];
            int d0 = c[0] - c[3 * stride], d1 = c[stride] - c[2 * stride];
            c[0] = (s0 + s1) >> 1;
            c[stride] = (d0 + d1) >> 1;
            c[2 * stride] = (s0 - s1) >> 1;
            c[3 * stride] = (d0 - d1) >> 1;
        }
    }
#pragma endscop
}

int main(void)
{
    static float blocks[16][64];
    int order[64];
    uint8_t table[64];
    int16_t out[16 * 64];
    zigzag_order(order);
    data_show("order", 0, order, sizeof order);
    for (int i = 0; i < 64; i++)
        table[i] = (uint8_t)(10 + i / 2);
    DATA_EACH(n) {
        int bw = n / 25, bh = n / 30 + 1;
        uint8_t *pix = data_bytes(bw * 8 * bh * 8);
        dct_blocks(pix, bw * 8, bw, bh, blocks);
        memset(out, 0, sizeof out);
        int kept = quantise(blocks, bw * bh, table, order, out);
        data_show("quantise", kept, out, sizeof out);
        int *ints = data_ints(n * 20, 100);
        hadamard4(ints, 5, n);
        data_show("hadamard", n, ints, n * 20 * sizeof *ints);
    }
}
