/* Counters that are read where their loops ended, or set on the way to them. */
#include "data.h"

/* The last sample by itself, where the loop ended. */
int upsample(int w, unsigned char *out, const unsigned char *in)
{
    int i;
    if (w < 2)
        return 0;
    out[0] = in[0];
    out[1] = in[0] * 3 / 4 + in[1] / 4;
#pragma scop
    for (i = 1; i < w - 1; ++i) {
        int middle = 3 * in[i] + 2;
        out[i * 2] = (middle + in[i - 1]) >> 2;
        out[i * 2 + 1] = (middle + in[i + 1]) >> 2;
    }
#pragma endscop
    out[i * 2] = in[i];
    return i;
}

/* What each pixel has beside its colours stays as it is. */
void to_bytes(int pixels, int colours, int planes, unsigned char *out, const float *in)
{
    int i, k;
#pragma scop
    for (i = 0; i < pixels; ++i) {
        for (k = 0; k < colours; ++k) {
            float z = in[i * planes + k] * 2 + 0.5f;
            if (z < 0)
                z = 0;
            if (z > 255)
                z = 255;
            out[i * planes + k] = (unsigned char)z;
        }
        if (k < planes)
            out[i * planes + k] = (unsigned char)in[i * planes + k];
    }
#pragma endscop
}

/* One of several filters for a line of an image; who has none is told how far the line goes. */
int filter_line(int kind, int width, int bytes, const unsigned char *z, signed char *line)
{
    int i;
    for (i = 0; i < bytes; i++)
        line[i] = z[i];
    switch (kind) {
    case 1: {
#pragma scop
        for (i = bytes; i < width * bytes; ++i)
            line[i] = z[i] - z[i - bytes];
#pragma endscop
        break;
    }
    case 2: {
#pragma scop
        for (i = bytes; i < width * bytes; ++i)
            line[i] = z[i] - (z[i - bytes] >> 1);
#pragma endscop
        break;
    }
    default:
        break;
    }
    return i;
}

/* The loop may not run at all, and counts down in the second half. */
int two_ways(int from, int to, int *a)
{
    int i, left;
#pragma scop
    for (i = from; i <= to; i++)
        a[i] += i;
    left = i;
    for (i = to; i > from; --i)
        a[i] ^= a[i - 1];
#pragma endscop
    return 1000 * left + i;
}

unsigned squares(unsigned n, unsigned skip, unsigned *a)
{
    unsigned i;
#pragma scop
    for (i = skip; i != n; i++)
        a[i] = i * i;
#pragma endscop
    return i;
}

/* Tables with two entries for each turn. */
void twiddles(int n, float *a, float *b)
{
    int k, k2;
#pragma scop
    for (k = k2 = 0; k < n / 2; ++k, k2 += 2) {
        a[k2] = (float)(k * 3);
        a[k2 + 1] = (float)-k;
        b[k2] = (float)(k2 + 1) * 0.5f;
        b[k2 + 1] = (float)(k2 + 1) * 0.25f;
    }
#pragma endscop
}

/* The first step is taken in front. */
int line(int x, int x1, int *out)
{
    int error = 0;
#pragma scop
    for (++x; x < x1; ++x) {
        error += 3;
        if (error >= 7)
            error -= 7;
        out[x] = error;
    }
#pragma endscop
    return x + error;
}

/* As translated from Fortran: everything is an offset, set just in front of its loop. */
void radix2(int ido, int l1, const float *cc, float *ch)
{
    int k, t0, t1, t2, t3;
    t1 = 0;
    t0 = (t2 = l1 * ido);
    t3 = ido << 1;
#pragma scop
    for (k = 0; k < l1; k++) {
        ch[t1 << 1] = cc[t1] + cc[t2];
        ch[(t1 << 1) + t3 - 1] = cc[t1] - cc[t2];
        t1 += ido;
        t2 += ido;
    }
#pragma endscop
    if (ido < 2)
        return;
    if (ido == 2)
        goto last;
    t1 = 0;
    t2 = t0;
#pragma scop
    for (k = 0; k < l1; k++) {
        ch[(t1 << 1) + 1] = cc[t1 + 1] * 2;
        ch[(t1 << 1) + 2] = cc[t2 + 1] * 3;
        t1 += ido;
        t2 += ido;
    }
#pragma endscop
last:
    t3 = (t2 = ido) - 1;
    t2 += t0;
    t2--;
    t1 = ido;
#pragma scop
    for (k = 0; k < l1; k++) {
        ch[t1] = -cc[t2];
        ch[t1 - 1] = cc[t3];
        t1 += ido << 1;
        t2 += ido;
        t3 += ido;
    }
#pragma endscop
}

/* What is set in front changes on the way, in a branch and in a loop. */
int gathered(int n, int start, const int *in, int *out)
{
    int k = 0, i;
    k = start;
    if (n > 8)
        k += 3;
#pragma scop
    for (i = 0; i < n; i++) {
        out[k] = in[i];
        k += 2;
    }
#pragma endscop
    while (k > 2 * n) {
        k = n;
#pragma scop
        for (i = 0; i < n; i++) {
            out[k] += in[i];
            k++;
        }
#pragma endscop
        k = 0;
    }
    return k;
}

/* Hints to the compiler are no instructions. */
void hinted(int n, float *data)
{
    float *end = data + n;
#pragma scop
    while (data < end) {
        float t = data[0];
        __asm__("" ::"r"(data));
        data[0] = data[1];
        data[1] = t;
        data += 2;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned char *bytes = data_bytes(4 * n + 4), *more = data_bytes(8 * n + 8);
        data_show("upsample", upsample(n, more, bytes), more, 2 * n);
        float *x = data_floats(4 * n), *y = data_floats(4 * n + 8);
        to_bytes(n, 3, 4, more, x);
        to_bytes(n / 2, 2, 2, more, x);
        data_show("bytes", n, more, 4 * n);
        for (int kind = 0; kind < 3; kind++)
            data_show("line", filter_line(kind, n / 3, 3, bytes, (signed char *)more), more, 4 * n);
        int *a = data_ints(8 * n + 16, 100), *b = data_ints(8 * n + 16, 100);
        data_show("two ways", two_ways(n / 3, n - 1, a), a, 4 * n);
        data_show("two ways", two_ways(n, n / 2, a), a, 4 * n);
        data_show("squares", (int)squares(n, n / 4, (unsigned *)b), b, 4 * n);
        twiddles(n, x, y);
        data_show("twiddles", n, x, 4 * n);
        data_show("line", line(n / 5, n, b), b, 4 * n);
        data_show("line", line(n, 0, b), b, 4 * n);
        radix2(n < 6 ? n : 6, n / 6, x, y);
        radix2(2, n / 4, x, y);
        data_show("radix 2", n, y, 8 * n);
        data_show("gathered", gathered(n, n / 2, a, b), b, 32 * n);
        hinted(n / 2 * 2, x);
        data_show("hinted", n, x, 4 * n);
    }
}
