/* Accessors of images that check their arguments. */
#include "data.h"

#include <assert.h>
#include <setjmp.h>

typedef struct {
    int w, h, c;
    float *data;
} image;

static jmp_buf failed;

__attribute__((noreturn)) void fail(const char *what)
{
    longjmp(failed, what[0]);
}

static float get_pixel(image m, int x, int y, int c)
{
    assert(x < m.w && y < m.h && c < m.c);
    return m.data[c * m.h * m.w + y * m.w + x];
}

static void set_pixel(image m, int x, int y, int c, float val)
{
    if (x < 0 || y < 0 || c < 0 || x >= m.w || y >= m.h || c >= m.c)
        return;
    assert(x < m.w && y < m.h && c < m.c);
    m.data[c * m.h * m.w + y * m.w + x] = val;
}

static void add_pixel(image m, int x, int y, int c, float val)
{
    if (x >= m.w)
        fail("x");
    m.data[c * m.h * m.w + y * m.w + x] += val;
}

void flip(image a, image b)
{
#pragma scop
    for (int k = 0; k < a.c; k++)
        for (int y = 0; y < a.h; y++)
            for (int x = 0; x < a.w; x++)
                set_pixel(b, a.w - 1 - x, y, k, get_pixel(a, x, y, k));
#pragma endscop
}

void accumulate(image a, image b, int dx)
{
#pragma scop
    for (int k = 0; k < b.c; k++)
        for (int y = 0; y < b.h; y++)
            for (int x = 0; x < b.w; x++)
                add_pixel(a, x + dx, y, k, b.data[k * b.h * b.w + y * b.w + x]);
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        image a = {n, n + 1, 3, data_floats(3 * n * (n + 1))};
        image b = {n + 2, n, 2, data_floats(3 * (n + 2) * n)};
        flip(a, b);
        data_show("flipped", n, b.data, 4 * 2 * (n + 2) * n);
        /* Over itself. */
        flip(a, a);
        data_show("in place", n, a.data, 4 * 3 * n * (n + 1));
        image c = {n / 2, n, 2, b.data};
        /* With a column that is not there: the first row is added up to there. */
        for (int dx = 0; dx <= n - n / 2 + 1; dx++)
            if (setjmp(failed))
                printf("failed at %d\n", dx);
            else
                accumulate(a, c, dx);
        data_show("added", n, a.data, 4 * 3 * n * (n + 1));
    }
}
