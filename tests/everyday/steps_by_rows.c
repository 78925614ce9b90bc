/* Steps that are sizes: no rows or fewer, and arrays that end in the middle of a step. */
#include "data.h"

static int cells[400], source[400];

int rows(int *a, int h, int w)
{
    int p;
#pragma scop
    for (p = 0; p < h * w; p += w)
        for (int x = 0; x < w; x++)
            a[p + x] += x * p + 1;
#pragma endscop
    return p;
}

int some_rows(int *a, int low, int high, int w)
{
    int p;
#pragma scop
    for (p = low * w; p < high * w; p += w)
        for (int x = 0; x < w; x++)
            a[p + x] += x * p + 1;
#pragma endscop
    return p;
}

int behind(int *a, int from, int h, int w)
{
    int p;
#pragma scop
    for (p = from; p < from + h * w; p += w)
        for (int x = 0; x < w; x++)
            a[p + x] += x * p + 1;
#pragma endscop
    return p;
}

void every(const int *from, int n, int step)
{
#pragma scop
    for (int i = 0; i < n; i += step)
        cells[i] += from[i] * 3;
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *a = data_ints(400 + 20 * n, 99);
        int left[3];
        for (int h = -3; h < 20; h++) {
            left[0] = rows(a, h, n);
            left[1] = some_rows(a, 4, h, n < 20 ? n + 1 : 1);
            left[2] = behind(a, 4, h, n < 20 ? n + 1 : 1);
            data_show("left", h, left, sizeof left);
        }
        data_show("rows", n, a, (400 + 20 * n) * sizeof *a);
        for (int i = 0; i < 400; i++)
            source[i] = i;
        if (n > 0) {
            every(source, 400, n);
            every(cells + 1, 399 - n, n);
        }
        data_show("every", n, cells, sizeof cells);
    }
    return 0;
}
