/* Loops whose steps are variables: frames of a signal, channels, blocks, rows, stages of a transform. */
#include "data.h"

#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* The energy of each frame; the number of frames. */
int frame_energy(const float *restrict x, int n, int hop, int win, float *restrict e)
{
    int k = 0;
#pragma scop
    for (int i = 0; i + win <= n; i += hop) {
        float s = 0;
        for (int j = 0; j < win; j++)
            s += x[i + j] * x[i + j];
        e[k++] = s;
    }
#pragma endscop
    return k;
}

void fill_channel(unsigned char *p, size_t n, size_t channels, size_t which, unsigned char v)
{
#pragma scop
    for (size_t i = which; i < n; i += channels)
        p[i] = v;
#pragma endscop
}

void add_from(int *a, int start, int len, int stride, int v)
{
#pragma scop
    for (int j = start; j < len; j += stride)
        a[j] += v;
#pragma endscop
}

void invert_rows(unsigned char *img, int w, int h)
{
#pragma scop
    for (int p = 0; p < h * w; p += w)
        for (int x = 0; x < w; x++)
            img[p + x] = 255 - img[p + x];
#pragma endscop
}

/* Every element becomes the sum of its block, the last of which may be shorter. */
void block_sums(int *restrict a, int n, int size)
{
#pragma scop
    for (int b = 0; b < n; b += size) {
        int end = b + size;
        if (end > n)
            end = n;
        int sum = 0;
        for (int i = b; i < end; i++)
            sum += a[i];
        for (int i = b; i < end; i++)
            a[i] = sum & 1023;
    }
#pragma endscop
}

void block_maxima(int *restrict most, const int *restrict a, int n, int size)
{
#pragma scop
    for (int b = 0; b < n; b += size) {
        int m = a[b];
        for (int i = b + 1; i < MIN(b + size, n); i++)
            if (a[i] > m)
                m = a[i];
        most[b / size] = m;
    }
#pragma endscop
}

/* Frames that overlap: their order counts. */
void fade(float *restrict a, int n, int win)
{
#pragma scop
    int hop = win / 2;
    for (int i = 0; i + win <= n; i += hop)
        for (int j = i; j < i + win; j++)
            a[j] *= 0.5f;
#pragma endscop
}

void hadamard(float *a, int n)
{
#pragma scop
    for (int h = 1; h < n; h *= 2)
        for (int i = 0; i < n; i += 2 * h)
            for (int j = i; j < i + h; j++) {
                float x = a[j], y = a[j + h];
                a[j] = x + y;
                a[j + h] = x - y;
            }
#pragma endscop
}

void sieve(unsigned char *composite, int n)
{
#pragma scop
    for (int p = 2; p * p <= n; p++)
        if (!composite[p])
            for (int m = p * p; m <= n; m += p)
                composite[m] = 1;
#pragma endscop
}

/* Below zero, and not at all. */
int around_zero(int *a, int lo, int hi, int step)
{
    int i;
#pragma scop
    for (i = lo; i <= hi; i += step)
        a[i + 100] += i;
#pragma endscop
    return i;
}

/* Ends of types: distances that no `int` holds, and numbers that wrap around. */
long edges(int lo, int hi, int step)
{
    long sum = 0;
#pragma scop
    for (int i = lo; i < hi; i += step)
        sum += (long)i * i;
#pragma endscop
    return sum;
}

unsigned wraps(unsigned n, unsigned step)
{
    unsigned sum = 0;
#pragma scop
    for (unsigned i = 0; i < n; i += step)
        sum += i ^ 5;
#pragma endscop
    return sum;
}

/* With steps that lead nowhere it is `break` that ends it. */
int nowhere(int *a, int n, int step, int most)
{
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i += step) {
        a[i] += 1;
        c++;
        if (c > most)
            break;
    }
#pragma endscop
    return c;
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        float *x = data_floats(size), *e = calloc(size + 1, sizeof *e);
        int *a = data_ints(300, 1000), *most = calloc(size + 1, sizeof *most);
        unsigned char *p = data_bytes(400);
        for (int step = 1; step < 12; step += 1 + step / 3) {
            int frames = frame_energy(x, n, step, 4, e);
            data_show("frames", frames, e, size * sizeof *e);
            fill_channel(p, size, (size_t)step, (size_t)step / 2, (unsigned char)step);
            invert_rows(p, step, n / 12);
            data_show("bytes", n, p, 400);
            add_from(a, step * 2, n, step, 3);
            block_sums(a, n, step);
            block_maxima(most, a, n, step);
            data_show("most", n, most, (size + 1) * sizeof *most);
            fade(x, n, step + 1);
            int left = around_zero(a, -step, n - 7, step);
            left += around_zero(a, n, n - 1, 0) + around_zero(a, n, n - 5, -step);
            left += nowhere(a, n, step, 5) + nowhere(a, n, 0, 5);
            data_show("left", left, a, 300 * sizeof *a);
        }
        if ((n & (n - 1)) == 0)
            hadamard(x, n);
        data_show("transformed", n, x, size * sizeof *x);
        memset(p, 0, 400);
        sieve(p, 3 * n);
        data_show("sieve", n, p, 400);
        long sums[2] = {edges(-2147483647, 1147483647 - n, 1000000000),
                        edges(n, 1147483647, 1000000000)};
        data_show("edges", n, sums, sizeof sums);
        unsigned seen[2] = {wraps(4000000000u, 3000000000u),
                            wraps(3294967296u - (unsigned)n, 1000000000u)};
        data_show("wraps", n, seen, sizeof seen);
        free(x), free(e), free(a), free(most), free(p);
    }
}
