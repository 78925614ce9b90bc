/* Subscripts that are quotients of sizes, or positions with bits of fraction. */
#include "data.h"

/* A position with 20 bits of fraction, which may wrap around. */
void positions(const uint8_t *in, uint8_t *out, int n, uint32_t step, uint32_t start)
{
    uint32_t pos = start;
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = in[pos >> 20];
        pos += step;
    }
#pragma endscop
}

/* What is written is where the quotients are. */
void scatter(const int *in, int *out, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i * m / n] += in[i];
#pragma endscop
}

/* Towards zero, and down. */
void mirror(const int *in, int *out, int n, int a, int b, int d)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[(a * i + b) / d] + in[((a * i + b) >> 3) + 4];
#pragma endscop
}

/* A divisor that may be 0 where nothing is divided. */
void guarded(const int *in, int *out, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = i;
        if (m > 0)
            out[i] += in[i * n / m];
    }
#pragma endscop
}

/* From the end to the beginning. */
void backwards(const int *in, int *out, unsigned n, unsigned s, unsigned m)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        out[i] = in[(s * (n - 1 - i)) / m];
#pragma endscop
}

/* Rows and columns of another size. */
void resize(const int *in, int *out, unsigned h, unsigned w, unsigned H, unsigned W)
{
#pragma scop
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++)
            out[y * w + x] = in[(y * H / h) * W + (x * W / w)];
#pragma endscop
}

/* A quotient that is subtracted. */
void subtracted(const int *in, int *out, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = in[m - i * m / n];
#pragma endscop
}

/* A quotient of a quotient. */
void twice(const int *in, int *out, int n, int a, int b)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int p = i * a / n;
        int q = (p * b) >> 4;
        out[i] = in[p] - in[q] * 3;
    }
#pragma endscop
}

/* Limited on both sides. */
void clamped(const uint8_t *in, int m, uint8_t *out, int n, int step)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int p = (i * step + 32768) >> 16;
        if (p > m - 1) p = m - 1;
        if (p < 0) p = 0;
        out[i] = in[p];
    }
#pragma endscop
}

/* In types of 16 bits. */
void narrow_sizes(const uint8_t *in, uint8_t *out, uint16_t n, uint16_t m)
{
#pragma scop
    for (uint16_t i = 0; i < n; i++)
        out[i] = in[(uint32_t)i * m / n] ^ in[(uint16_t)(i * m) / n];
#pragma endscop
}

/* Between two samples, with 32 bits of fraction. */
void between(const float *in, float *out, size_t n, uint64_t step)
{
    uint64_t pos = 0;
#pragma scop
    for (size_t i = 0; i < n; i++) {
        size_t k = pos >> 32;
        float f = (float)(pos & 0xffffffffu) / 4294967296.0f;
        out[i] = in[k] * (1 - f) + in[k + 1] * f;
        pos += step;
    }
#pragma endscop
}

/* Rows through a pointer of their own. */
void shrink_rows(const unsigned char *src, int sw, int sh, unsigned char *dst, int dw, int dh)
{
#pragma scop
    for (int y = 0; y < dh; y++) {
        int sy = y * sh / dh;
        const unsigned char *row = src + sy * sw;
        for (int x = 0; x < dw; x++) {
            int sx = x * sw / dw;
            dst[y * dw + x] = row[sx];
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *a = data_ints(4000, 900), *b = data_ints(4000, 900);
        uint8_t *c = data_bytes(9000), *d = data_bytes(9000);
        float *f = data_floats(4000), *g = data_floats(4000);
        /* Apart, and one in the other. */
        for (int k = 0; k < 2; k++) {
            int *to = k ? a + 1000 + n / 2 : b + 500;
            uint8_t *bytes = k ? c + 30 : d;
            positions(c, bytes, n, 70000000u, 5);
            positions(c, bytes, n, 1u << 20, 4294000000u);
            positions(c, bytes, n, 4294967295u, 1u << 24);
            scatter(a + 1000, to, n, n / 2);
            scatter(a + 1000, to, n, -3);
            mirror(a + 1000, to, n, 3, -40, n + 1);
            mirror(a + 1000, to, n, -2, 17, 3);
            mirror(a + 1000, to, n, -2, 17, -5);
            mirror(a + 1000, to, 0, 1, 1, 0);
            guarded(a + 1000, to, n % 50, 0);
            guarded(a + 1000, to, n % 50, 7);
            backwards(a + 1000, to, n, 50, n / 2 + 1);
            resize(a + 1000, to, n % 37, 7, 20, 9);
            subtracted(a + 1000, to, n, n + 9);
            twice(a + 1000, to, n, n / 2, 9);
            clamped(c, 20, bytes, n, 50000);
            clamped(c, 20, bytes, n, -50000);
            narrow_sizes(c, bytes, n, 300);
            between(f, k ? f + 9 : g, n, (uint64_t)3 << 30);
            shrink_rows(c, 31, n % 29, bytes, 20, 17);
            data_show("numbers", n, to, 1000 * sizeof *to);
            data_show("bytes", n, bytes, 1000);
        }
        data_show("between", n, f, 1000 * sizeof *f);
        data_show("between", n, g, 1000 * sizeof *g);
    }
}
