/* Macros whose names are in what the regions compute: members, functions called in parentheses or by a
   macro of their own name, and names that are macros only behind the bodies that use them. */
#include <math.h>
#include <stdio.h>

typedef struct {
    int w, h;
    int *px;
} image;

static int offset = 3;
static int small[8], large[8] = {10, 20, 30, 40, 50, 60, 70, 80};
static long total;

static int clamp(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }
static int lum(int x) { return 2 * x; }
static int look(int i) { return large[i & 7]; }
static void keep(int *o, int i) { *o = large[i & 7] + look(i); }
static void count(int n, const int *v)
{
    for (int i = 0; i < n; i++)
        total += v[i];
}

#define clamp(v, n) ((v) < (n) ? (v) : (n)-1)
#define lum(x) (lum(x) + 16)
#define sqrt(x) (sqrt((x) + 1))
#define w (im->w)
#define h (im->h)
#define offset (offset + 10)
#define large small

static void brighter(const image *im, int *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y * w + x] = im->px[y * w + x] + offset;
#pragma endscop
}

static void functions(int n, int *a, double *d)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = (clamp)(i - 2, n) + 100 * clamp(i, 5) + lum(i);
        d[i] = sqrt(i);
    }
#pragma endscop
}

static void bodies(int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        keep(&a[i], i);
        a[i] += large[i & 7];
    }
#pragma endscop
}

#define total 1

static void sums(int n, const int *v)
{
#pragma scop
    count(n, v);
#pragma endscop
}

#undef total

int main(void)
{
    static int px[7 * 9], out[7 * 9], a[3000];
    static double d[3000];
    for (int i = 0; i < 63; i++)
        px[i] = i * 5 % 13;
    image one = {9, 7, px};
    brighter(&one, out);
    functions(3000, a, d);
    for (int i = 0; i < 63; i += 7)
        printf("%d %d %.3f ", out[i], a[i], d[i]);
    bodies(3000, a);
    sums(3000, a);
    printf("\n%d %d %d %ld\n", a[0], a[7], a[2999], total);
    return 0;
}
