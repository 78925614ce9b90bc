/* What is taken from and put behind with `++` in the middle of expressions. */
#include "data.h"

/* Every value that differs from the one before it. */
int changes(int n, const int in[restrict n], int out[restrict n])
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (i == 0 || in[i] != in[i - 1])
            out[count++] = in[i];
#pragma endscop
    return count;
}

/* Takes triples apart. */
void planes(int n, const unsigned char in[restrict 3 * n], unsigned char r[restrict n],
            unsigned char g[restrict n], unsigned char b[restrict n])
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        r[i] = in[k++];
        g[i] = in[k++];
        b[i] = in[k++];
    }
#pragma endscop
}

/* Sorts small keys by counting. */
void by_key(int n, const int in[restrict n], int out[restrict n], int start[restrict 17])
{
#pragma scop
    for (int k = 0; k <= 16; k++)
        start[k] = 0;
    for (int i = 0; i < n; i++)
        start[in[i] + 1]++;
    for (int k = 1; k <= 16; k++)
        start[k] += start[k - 1];
    for (int i = 0; i < n; i++)
        out[start[in[i]]++] = in[i];
#pragma endscop
}

/* From the back, with a sum in a condition. */
int back(int n, const int in[restrict n], int out[restrict n], int limit)
{
    int top = n, sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        if ((sum += in[i]) > limit)
            sum = 0;
        out[--top] = sum;
    }
#pragma endscop
    return sum;
}

int main(void)
{
    DATA_EACH(n) {
        int *in = data_ints(n, 16), *out = data_ints(n, 16), *start = data_ints(17, 3);
        for (int i = 2; i < n; i += 3)
            in[i] = in[i - 1];
        int count = changes(n, in, out);
        data_show("changes", count, out, 4 * n);
        by_key(n, in, out, start);
        data_show("by key", n, out, 4 * n);
        data_show("starts", n, start, 4 * 17);
        int sum = back(n, in, out, 40);
        data_show("back", sum, out, 4 * n);
        unsigned char *rgb = data_bytes(3 * n), *r = data_bytes(n), *g = data_bytes(n),
                      *b = data_bytes(n);
        planes(n, rgb, r, g, b);
        data_show("red", n, r, n);
        data_show("green", n, g, n);
        data_show("blue", n, b, n);
    }
}
