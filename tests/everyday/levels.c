/* Loops over levels, whose sizes change from one turn to the next. */
#include "data.h"

enum { SIDE = 64 };

/* Means and differences of neighbours, in a picture that gets smaller. */
void haar(float pic[SIDE][SIDE], float scratch[SIDE][SIDE], int n, int levels)
{
#pragma scop
    for (int l = 0; l < levels; l++) {
        int size = n >> l, half = size / 2;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < half; j++) {
                scratch[i][j] = (pic[i][2 * j] + pic[i][2 * j + 1]) * 0.5f;
                scratch[i][half + j] = (pic[i][2 * j] - pic[i][2 * j + 1]) * 0.5f;
            }
        for (int i = 0; i < half; i++)
            for (int j = 0; j < size; j++) {
                pic[i][j] = (scratch[2 * i][j] + scratch[2 * i + 1][j]) * 0.5f;
                pic[half + i][j] = (scratch[2 * i][j] - scratch[2 * i + 1][j]) * 0.5f;
            }
    }
#pragma endscop
}

/* Sums in halves of what is left. */
long reduced(long *v, int n)
{
#pragma scop
    for (int half = n / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            v[i] += v[i + half] * (i & 1 ? 1 : 3);
#pragma endscop
    return n > 0 ? v[0] : 0;
}

/* Levels of a pyramid, one behind the other in one piece of memory. */
void pyramid(double *levels, int n, int count)
{
    double *from = levels;
#pragma scop
    for (int l = 0; l < count; l++) {
        int width = n >> l, next = n >> (l + 1);
        double *to = from + width * width;
        for (int y = 0; y < next; y++)
            for (int x = 0; x < next; x++)
                to[y * next + x] = (from[2 * y * width + 2 * x] + from[2 * y * width + 2 * x + 1] +
                                    from[(2 * y + 1) * width + 2 * x] + from[(2 * y + 1) * width + 2 * x + 1]) / 4;
        from = to;
    }
#pragma endscop
}

/* Rows that are updated by blocks whose size grows. */
void growing(int *a, int w, int h)
{
    int step = 1;
#pragma scop
    while (step < w) {
        for (int y = 0; y < h; y++)
            for (int x = 0; x + step < w; x++)
                a[y * w + x] += a[y * w + x + step];
        step *= 2;
    }
#pragma endscop
}

int main(void)
{
    static float pic[SIDE][SIDE], scratch[SIDE][SIDE];
    float *some = data_floats(SIDE * SIDE);
    for (int n = 4; n <= SIDE; n += 20)
        for (int levels = 0; levels < 4; levels++) {
            memcpy(pic, some, sizeof pic);
            haar(pic, scratch, n, levels);
            data_show("haar", n, pic, sizeof pic);
            data_show("scratch", n, scratch, sizeof scratch);
        }
    DATA_EACH(n) {
        long *v = malloc((n + 1) * sizeof *v);
        for (int i = 0; i <= n; i++)
            v[i] = i * 37 % 101;
        reduced(v, n);
        data_show("reduced", n, v, (n + 1) * sizeof *v);
        int *a = data_ints((size_t)n * n + 1, 9);
        growing(a, n, n / 2);
        data_show("growing", n, a, ((size_t)n * n + 1) * sizeof *a);
        double *levels = data_doubles(2 * (size_t)n * n + 8);
        pyramid(levels, n & ~3, 2);
        data_show("pyramid", n, levels, (2 * (size_t)n * n + 8) * sizeof *levels);
    }
    return 0;
}
