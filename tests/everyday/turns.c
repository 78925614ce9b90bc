/* Loops whose turns decide when they end, one for each element. */
#include "data.h"

void mandelbrot(unsigned char *steps, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cr = 3.0 * x / w - 2, ci = 2.0 * y / h - 1, zr = 0, zi = 0;
            int k = 0;
            while (k < 100 && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                k++;
            }
            steps[y * w + x] = k;
        }
#pragma endscop
}

void common_divisors(const int *a, const int *b, int *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int x = a[i], y = b[i];
        while (y != 0) {
            int rest = x % y;
            x = y;
            y = rest;
        }
        out[i] = x;
    }
#pragma endscop
}

void count_bits(const unsigned *a, int *ones, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned v = a[i];
        int count = 0;
        for (; v; v &= v - 1)
            count++;
        ones[i] = count;
    }
#pragma endscop
}

void whole_roots(const int *a, int *out, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int low = 0, high = 46340;
        do {
            int middle = (low + high + 1) / 2;
            if (middle * middle <= a[i])
                low = middle;
            else
                high = middle - 1;
        } while (low < high);
        out[i] = low;
    }
#pragma endscop
}

static const short steps_of[8] = { 3, 9, 27, 81, 243, 729, 2187, 6561 };

void quantise_by_table(const int *a, unsigned char *code, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k;
        for (k = 0; k < 8; k++)
            if (a[i] < steps_of[k])
                break;
        code[i] = k;
    }
#pragma endscop
}

void collatz(int *out, int n)
{
    int longest = 0;
#pragma scop
    for (int i = 1; i <= n; i++) {
        long x = i;
        int length = 1;
        while (x != 1) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            if (++length > 200)
                break;
        }
        out[i - 1] = length;
        longest = length > longest ? length : longest;
    }
#pragma endscop
    out[n] = longest;
}

int first_below(const float *a, int n, float limit)
{
    int found = n;
#pragma scop
    for (int i = 0; i < n; i++)
        if (a[i] < limit) {
            found = i;
            break;
        }
#pragma endscop
    return found;
}

int main(void)
{
    DATA_EACH(n) {
        unsigned char *bytes = data_bytes(n * n);
        int *a = data_ints(n, 9000), *b = data_ints(n, 90), *out = data_ints(n + 1, 9);
        unsigned *words = data_bytes(4 * n);
        float *f = data_floats(n);
        mandelbrot(bytes, n, n / 2);
        data_show("mandelbrot", n, bytes, n * n);
        common_divisors(a, b, out, n);
        data_show("common_divisors", n, out, 4 * n);
        common_divisors(out, b, out, n);
        data_show("common_divisors in place", n, out, 4 * n);
        count_bits(words, out, n);
        data_show("count_bits", n, out, 4 * n);
        whole_roots(a, out, n);
        data_show("whole_roots", n, out, 4 * n);
        quantise_by_table(a, bytes, n);
        data_show("quantise_by_table", n, bytes, n);
        collatz(out, n);
        data_show("collatz", n, out, 4 * (n + 1));
        out[0] = first_below(f, n, -0.9f);
        data_show("first_below", n, out, 4);
    }
}
