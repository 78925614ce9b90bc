/* Functions that move the pointers that they get, called in loops. */
#include "data.h"

/* Sum of absolute differences of two blocks. */
static inline int sad(const unsigned char *a, const unsigned char *b, int stride)
{
    int sum = 0;
    for (int y = 0; y < 8; y++) {
        for (int x = 0; x < 8; x++)
            sum += a[x] > b[x] ? a[x] - b[x] : b[x] - a[x];
        a += stride;
        b += stride;
    }
    return sum;
}

/* Costs of all places that a block of the middle could have come from. */
void costs(const unsigned char *cur, const unsigned char *ref, int w, int h, int range, int *out)
{
#pragma scop
    for (int dy = 0; dy <= h - 8; dy++)
        for (int dx = 0; dx <= w - 8; dx++) {
            int cost = sad(cur + range * w + range, ref + dy * w + dx, w);
            out[dy * (w - 7) + dx] = cost;
        }
#pragma endscop
}

static void copy_row(float *to, const float *from, int n)
{
    while (n-- > 0)
        *to++ = *from++;
}

/* Rows with a border of their own ends. */
void with_border(const float *from, float *to, int w, int h, int border)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        float *row = to + y * (w + 2 * border);
        for (int x = 0; x < border; x++)
            row[x] = from[y * w];
        copy_row(row + border, from + y * w, w);
        for (int x = 0; x < border; x++)
            row[border + w + x] = from[y * w + w - 1];
    }
#pragma endscop
}

static float dot(const float *x, const float *y, int n)
{
    const float *end = x + n;
    float sum = 0;
    for (; x < end; x++, y++)
        sum += *x * *y;
    return sum;
}

/* A product of a matrix and a vector by rows. */
void product(const float *a, const float *x, float *y, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = dot(a + i * m, x, m);
#pragma endscop
}

static void scale_add(double *y, const double *x, double by, int n, int step)
{
    const double *p = x;
    double *q = y;
    for (int i = 0; i < n; i++) {
        *q += by * *p;
        p += step;
        q += step;
    }
}

/* Columns minus multiples of their neighbours. */
void eliminate(double *a, int n, int m)
{
#pragma scop
    for (int j = 1; j < m; j++)
        scale_add(a + j, a + j - 1, a[j] * 0.5, n, m);
#pragma endscop
}

static int zigzag(const short *block, short *out)
{
    const short *p = block;
    int last = 0;
    for (int d = 0; d < 7; d++) {
        for (int i = 0; i <= d; i++)
            *out++ = (d & 1) ? p[(d - i) * 4 % 16 + i % 4] : p[i * 4 % 16 + (d - i) % 4];
        if (out[-1])
            last = d;
    }
    return last;
}

/* Coefficients of blocks in another order. */
void scan(const short *coefficients, short *out, int *last, int blocks)
{
#pragma scop
    for (int b = 0; b < blocks; b++)
        last[b] = zigzag(coefficients + 16 * b, out + 28 * b);
#pragma endscop
}

typedef struct { float x, y, z; } point;

static void middle(const point *p, int n, point *c)
{
    c->x = c->y = c->z = 0;
    for (int i = 0; i < n; i++, p++) {
        c->x += p->x;
        c->y += p->y;
        c->z += p->z;
    }
    c->x /= n;
    c->y /= n;
    c->z /= n;
}

/* Middles of groups of points. */
void middles(const point *points, int groups, int each, point *out)
{
#pragma scop
    for (int g = 0; g < groups; g++)
        middle(points + g * each, each, &out[g]);
#pragma endscop
}

static unsigned checksum(const unsigned char *p, int n)
{
    unsigned a = 1, b = 0;
    do {
        a += *p++;
        b += a;
    } while (--n > 0);
    return (b % 65521) << 16 | a % 65521;
}

/* Checksums of lines. */
void checksums(const unsigned char *text, unsigned *sums, int lines, int length)
{
#pragma scop
    for (int l = 0; l < lines; l++)
        sums[l] = checksum(&text[l * length], length);
#pragma endscop
}

/* The next value of its argument is what the body writes. */
static int step(int *at, int by)
{
    int *p = at;
    *p += by;
    p++;
    *p += by;
    return *p;
}

void steps(int *cells, int *out, int n)
{
#pragma scop
    for (int i = 0; i + 1 < n; i++)
        out[i] = step(cells + i, cells[i]);
#pragma endscop
}

static void reverse(unsigned char *first, unsigned char *last)
{
    while (first < last) {
        unsigned char t = *first;
        *first++ = *--last;
        *last = t;
    }
}

/* Rows from right to left. */
void mirror(unsigned char *img, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        reverse(img + y * w, img + (y + 1) * w);
#pragma endscop
}

int main(void)
{
    enum { W = 37, H = 29, ALL = W * H };
    static float wide[(W + 10) * H], y[H];
    static int out[ALL], sums_i[500], last[40];
    static short blocks[16 * 40], scanned[28 * 40];
    static double m[ALL];
    static point points[7 * 30], centres[30];
    static unsigned sums[H];
    unsigned char *cur = data_bytes(ALL), *ref = data_bytes(ALL), *img = data_bytes(ALL);
    float *a = data_floats(ALL), *x = data_floats(W);
    int *cells = data_ints(500, 3);

    for (int i = 0; i < ALL; i++)
        m[i] = ref[i] / 32.0 - 3;
    for (int i = 0; i < 16 * 40; i++)
        blocks[i] = (short)(((cur[i] >> 4) - 8) * (cur[i] % 3 == 0));
    for (int i = 0; i < 7 * 30; i++)
        points[i] = (point){(float)cur[i], (float)ref[i] / 3, (float)img[i] / 7};

    costs(cur, ref, W, H, 3, out);
    data_show("costs", W, out, (W - 7) * (H - 7) * sizeof *out);
    with_border(a, wide, W, H, 5);
    data_show("with_border", W, wide, sizeof wide);
    product(a, x, y, H, W);
    data_show("product", W, y, sizeof y);
    eliminate(m, H, W);
    data_show("eliminate", W, m, sizeof m);
    scan(blocks, scanned, last, 40);
    data_show("scan", 40, scanned, sizeof scanned);
    data_show("last", 40, last, sizeof last);
    middles(points, 30, 7, centres);
    data_show("middles", 30, centres, sizeof centres);
    for (int n = 1; n <= W; n += 12) {
        checksums(cur, sums, H, n);
        data_show("checksums", n, sums, sizeof sums);
    }
    steps(cells, sums_i, 24);
    data_show("steps", 24, sums_i, sizeof sums_i);
    data_show("cells", 24, cells, 500 * sizeof *cells);
    for (int n = 0; n < 6; n++) {
        mirror(img, W - n, H - n);
        data_show("mirror", n, img, ALL);
    }
    /* What is written is what is read next. */
    with_border(a, a + 40, 13, 20, 2);
    data_show("with_border over itself", 13, a, ALL * sizeof *a);
    product(a, a + 100, a + 90, 20, 9);
    data_show("product over itself", 9, a, ALL * sizeof *a);
    return 0;
}
