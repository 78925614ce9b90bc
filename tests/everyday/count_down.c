/* Loops that count down to zero in their conditions, or go on where another one ended. */
#include "data.h"

void scale(float *restrict x, unsigned n, float by)
{
#pragma scop
    while (n--)
        x[n] *= by;
#pragma endscop
}

void reverse_sums(int n, const int in[restrict n], int out[restrict n + 1])
{
    int i;
#pragma scop
    out[n] = 0;
    for (i = n; i-- > 0;)
        out[i] = out[i + 1] + in[i];
#pragma endscop
}

void triangle(size_t n, float a[restrict n][n])
{
#pragma scop
    for (size_t i = n; i-- > 0;)
        for (size_t j = i; j-- > 0;)
            a[i][j] = 0.5f * (a[i][j] + a[j][i]);
#pragma endscop
}

/* The first `head` elements differently; returns where it stopped. */
int fill(int n, int head, int out[restrict n])
{
    int i = 0;
#pragma scop
    for (; i < head; i++)
        out[i] = -i;
    for (; i < n; i++)
        out[i] = 2 * i;
#pragma endscop
    return i;
}

void from(int start, int n, int out[restrict n])
{
#pragma scop
    for (; start < n; start += 2) {
        if (out[start] > 10)
            continue;
        out[start] = start;
    }
#pragma endscop
}

int rest(int n, int out[restrict n])
{
#pragma scop
    while (n-- > 2)
        out[n] += n;
#pragma endscop
    return n;
}

int main(void)
{
    DATA_EACH(n) {
        float *x = data_floats(n);
        scale(x, n, 1.5f);
        data_show("scale", n, x, 4 * n);
        int *in = data_ints(n, 100), *out = data_ints(n + 1, 100);
        reverse_sums(n, in, out);
        data_show("sums", n, out, 4 * (n + 1));
        float *a = data_floats(n * n);
        triangle(n, (float (*)[n])a);
        data_show("triangle", n, a, 4 * n * n);
        data_show("fill", fill(n, n / 3, out), out, 4 * n);
        from(n / 4, n, in);
        data_show("from", n, in, 4 * n);
        data_show("rest", rest(n, in), in, 4 * n);
    }
}
