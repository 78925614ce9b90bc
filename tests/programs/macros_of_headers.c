/* Macros that an included file defines, on names that the regions' own text has: members, locals,
   functions, variables of generated loops, and words of pragmas. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int width, height;
    int *px;
} image;

static struct {
    int n, step;
} cfg = {300, 2};

static int twice(int x) { return 2 * x; }
static int total(int n, const int *v)
{
    int c0 = 0;
    for (int i0 = 0; i0 < n; i0++)
        c0 += v[i0];
    return c0;
}

#include "macros_of_headers.h"

static void lighten(image *im, int by)
{
#pragma scop
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++)
            PIXEL(x, y) = PIXEL(x, y) + by > 255 ? 255 : PIXEL(x, y) + by;
#pragma endscop
}

static int over(int *a)
{
    int sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = twice(i) + c0 + tw_t;
    for (int i = 0; i < n; i++)
        sum += a[i];
#pragma endscop
    return sum;
}

#undef n
#define step (cfg.step + 1)
#define a2 b2

static void apart(int n, double *a2, const double *c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double lowest = DBL_MAX;
        for (int k = 0; k < step; k++)
            lowest = fmin(lowest, c[i + k]);
        b2[i] = isnan(c[i]) ? NAN : lowest + INT_MAX;
    }
#pragma endscop
}

#undef step
#undef a2
#undef c0
#define first a[0]

static int behind(int *a, int m)
{
    int step = 0;
#pragma scop
    for (int c0 = 1; c0 < m; c0++)
        a[c0] = a[c0] * 3 + c0 % 5;
#pragma endscop
    for (int c0 = 1; c0 < m; c0++)
        step ^= a[c0];
    return step + first;
}

static int calls(int *a, int m)
{
    int kept = 0;
#pragma scop
    kept = total(m, a) + c1(m);
#pragma endscop
    return kept;
}

int main(void)
{
    static int pixels[20 * 14], a[400];
    static double d[400], e[400];
    image picture = {20, 14, pixels};
    for (int k = 0; k < 280; k++)
        pixels[k] = k * 7 % 251;
    for (int k = 0; k < 400; k++)
        e[k] = (k * 37 % 101) / 8.0;
    lighten(&picture, 30);
    fprintf(stdout, "%d %d %d\n", pixels[0], pixels[133], pixels[279]);
    int sum = over(a);
    fprintf(stdout, "%d %d\n", sum, a[299]);
    apart(390, d, e);
    fprintf(stdout, "%g %g %g\n", d[0], d[1], d[389]);
    sum = behind(a, 400);
    fprintf(stdout, "%d %d\n", sum, calls(a, 400));
    return 0;
}
