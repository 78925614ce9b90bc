/* Loops that go on where others stopped: heads without a beginning, of one variable or of two, read
 * behind or not. */
#include "data.h"

/* Whole groups of four, then the rest. */
size_t add_bytes(unsigned char *to, const unsigned char *a, const unsigned char *b, size_t n)
{
    size_t i = 0;
#pragma scop
    for (; i + 3 < n; i += 4) {
        to[i] = a[i] + b[i];
        to[i + 1] = a[i + 1] + b[i + 1];
        to[i + 2] = a[i + 2] + b[i + 2];
        to[i + 3] = a[i + 3] + b[i + 3];
    }
    for (; i < n; i++)
        to[i] = a[i] + b[i];
#pragma endscop
    return i;
}

/* From where the caller says, to be gone on with. */
size_t copy_on(unsigned char *to, const unsigned char *from, size_t i, size_t n)
{
#pragma scop
    for (; i < n; i++)
        to[i] = from[i];
#pragma endscop
    return i;
}

/* A predictor of which each byte depends on the one a pixel before. */
int undo(unsigned char *recon, const unsigned char *line, const unsigned char *above, int i, int j, int n)
{
#pragma scop
    for (; i + 2 < n; i += 3, j += 3) {
        unsigned char r0 = recon[j], r1 = recon[j + 1], r2 = recon[j + 2];
        recon[i] = line[i] + ((r0 + above[i]) >> 1);
        recon[i + 1] = line[i + 1] + ((r1 + above[i + 1]) >> 1);
        recon[i + 2] = line[i + 2] + ((r2 + above[i + 2]) >> 1);
    }
#pragma endscop
    return i * 1000 + j;
}

/* Two variables, and what they leave. */
int gather(float *to, const float *from, int i, int j, int n)
{
#pragma scop
    for (; i < n; i++, j += 2)
        to[i] = from[j] + from[j + 1];
    for (; j < 2 * n; j++)
        to[j - n] -= from[j];
#pragma endscop
    return i * 1000 + j;
}

/* Downwards. */
unsigned fall(int *a, unsigned i, unsigned end)
{
#pragma scop
    for (; i > end; i--)
        a[i] += 3;
#pragma endscop
    return i;
}

int main(void)
{
    unsigned char *a = data_bytes(400), *b = data_bytes(400), *c = data_bytes(400);
    float *x = data_floats(400), *y = data_floats(400);
    int *ints = data_ints(400, 1000);
    for (int n = 0; n <= 90; n += n < 6 ? 1 : 28) {
        size_t end = add_bytes(c, a, b, n);
        data_show("add_bytes", n, &end, sizeof end);
        data_show("add_bytes", n, c, 400);
        end = add_bytes(b + 1, a, b, n);
        data_show("add_bytes over itself", n, b, 400);
        end = copy_on(c, a, 3, n);
        data_show("copy_on", n, &end, sizeof end);
        end = copy_on(c + 2, c, 1, n);
        data_show("copy_on over itself", n, c, 400);
        int ends = undo(c, a, b, 3, 0, n);
        data_show("undo", n, &ends, sizeof ends);
        data_show("undo", n, c, 400);
        ends = undo(c, a, c + 5, 3, 0, n);
        data_show("undo over itself", n, c, 400);
        ends = gather(x, y, 1, n > 50 ? 20 : 3, n);
        data_show("gather", n, &ends, sizeof ends);
        data_show("gather", n, x, 400 * sizeof *x);
        ends = gather(y, y, 1, 3, n);
        data_show("gather over itself", n, y, 400 * sizeof *y);
        unsigned left = fall(ints, n, 5);
        data_show("fall", n, &left, sizeof left);
        data_show("fall", n, ints, 400 * sizeof *ints);
    }
    return 0;
}
