/* Signal processing with pointers that walk: loops that count an unsigned argument down, pointers that
 * the end of a turn sets for the next one, products and mirrors by hand. */
#include "data.h"
#include <math.h>

static union { unsigned raw; float value; } const largest = { 0x7F7FFFFFu };

/* How far two signals are from each other, beside how large they are. */
float distance(const float *a, const float *b, unsigned n)
{
    float apart = 0, sum = 0, x, y;
#pragma scop
    while (n > 0) {
        x = *a++;
        y = *b++;
        apart += fabsf(x - y);
        sum += fabsf(x + y);
        n--;
    }
#pragma endscop
    return sum > 0 ? apart / sum : largest.value;
}

void rectify(const float *from, float *to, unsigned char n)
{
#pragma scop
    while (n > 0U) {
        *to++ = fmaxf(*from++, 0.25f);
        n--;
    }
#pragma endscop
}

/* The beginning of a convolution: as many products as there are samples so far. */
void begin_convolution(const int *a, const int *b, int *out, unsigned n)
{
    const int *x = a, *y = b;
    unsigned k, count = 1;
    long long sum;
#pragma scop
    while (n > 0U) {
        sum = 0;
        k = count;
        while (k > 0U) {
            sum += (long long)*x++ * *y--;
            k--;
        }
        *out++ = (int)(sum >> 8);
        y = b + count;
        x = a;
        count++;
        n--;
    }
#pragma endscop
}

typedef struct {
    unsigned short rows, columns;
    float *data;
} matrix;

/* There is at least one row, and one column. */
void multiply(const matrix *a, const matrix *b, matrix *c)
{
    float *x, *y = b->data, *begin = a->data, *first = b->data, *out = c->data, *to;
    float sum;
    unsigned short rows = a->rows, columns = b->columns, inner = a->columns;
    unsigned column, i = 0U, row = rows, k;
#pragma scop
    do {
        to = out + i;
        column = columns;
        y = b->data;
        do {
            sum = 0.0f;
            x = begin;
            k = inner;
            while (k > 0U) {
                sum += *x++ * *y;
                y += columns;
                k--;
            }
            *to++ = sum;
            column--;
            y = first + (columns - column);
        } while (column > 0U);
        i = i + columns;
        begin = begin + inner;
        row--;
    } while (row > 0U);
#pragma endscop
}

void mirror(const unsigned char *from, unsigned char *to, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = w; x > 0; x--)
            to[y * w + w - x] = from[y * w + x - 1];
#pragma endscop
}

/* Rows with a pitch to rows without. */
void pack(const unsigned char *from, unsigned char *to, size_t pitch, unsigned w, int h)
{
    const unsigned char *s = from;
    unsigned char *d = to;
#pragma scop
    for (int y = 0; y < h; y++) {
        for (unsigned x = w; x > 0; x--)
            *d++ = 255 - *s++;
        from += pitch;
        s = from;
        to += w;
        d = to;
    }
#pragma endscop
}

/* The first row is another one than those that the end of a turn leads to. */
void sums_from_the_second(const short *from, short *sums, int w, int h)
{
    const short *s = from + w;
    int y = 0;
#pragma scop
    while (y < h) {
        int acc = 0;
        for (int x = 0; x < w; x++)
            acc += *s++;
        sums[y] = (short)acc;
        y++;
        s = from + y * w;
    }
#pragma endscop
}

/* Counters without a sign beside sizes that have one. */
void fill_rows(float *to, const float *row, int rows, unsigned short columns)
{
    unsigned i = 0, y, x;
    float *p;
#pragma scop
    for (y = 0; y < rows; y++) {
        p = to + i;
        for (x = columns; x > 0; x--)
            *p++ = row[x - 1] * row[columns - x];
        i += columns;
    }
#pragma endscop
}

/* The head reads what is set in front of it, too. */
void shifted(const float *from, float *to, int w, int h)
{
    const float *s, *begin;
#pragma scop
    s = from;
    for (begin = s; begin < from + w * h; begin += w) {
        for (int x = 0; x < w; x++)
            *to++ = *s++ - *begin;
        s = from + w;
    }
#pragma endscop
}

enum { ALL = 4000 };

int main(void)
{
    float *a = data_floats(ALL), *b = data_floats(ALL), *c = data_floats(ALL);
    int *ints = data_ints(ALL, 100000), *others = data_ints(ALL, 100000), *sums = data_ints(ALL, 3);
    unsigned char *bytes = data_bytes(ALL), *mirrored = data_bytes(ALL);
    short *shorts = data_bytes(2 * ALL), *rows = data_bytes(2 * ALL);
    for (int n = 0; n <= 41; n += n < 3 ? 1 : 19) {
        float apart = distance(a, b, n * n);
        data_show("distance", n, &apart, sizeof apart);
        rectify(a, c, n);
        data_show("rectify", n, c, ALL * sizeof *c);
        begin_convolution(ints, others, sums, n * 3);
        data_show("begin_convolution", n, sums, ALL * sizeof *sums);
        begin_convolution(ints, others, ints + 7, n);
        data_show("begin_convolution over itself", n, ints, ALL * sizeof *ints);
        matrix x = {n + 1, n + 2, a}, y = {n + 2, n + 3, b}, z = {n + 1, n + 3, c};
        multiply(&x, &y, &z);
        data_show("multiply", n, c, ALL * sizeof *c);
        matrix over = {n + 1, n + 3, a + 3};
        multiply(&x, &y, &over);
        data_show("multiply over itself", n, a, ALL * sizeof *a);
        mirror(bytes, mirrored, n, n + 5);
        data_show("mirror", n, mirrored, ALL);
        mirror(mirrored, mirrored + 20, n, n + 5);
        data_show("mirror over itself", n, mirrored, ALL);
        pack(bytes, mirrored, n + 3, n, n + 2);
        data_show("pack", n, mirrored, ALL);
        pack(mirrored + 40, mirrored, n + 3, n, n + 2);
        data_show("pack over itself", n, mirrored, ALL);
        sums_from_the_second(shorts, rows, n, n + 4);
        data_show("sums_from_the_second", n, rows, 2 * ALL);
        shifted(b, c, n, n > 0 ? 4 : 0);
        data_show("shifted", n, c, ALL * sizeof *c);
        fill_rows(c, a, n, n + 2);
        data_show("fill_rows", n, c, ALL * sizeof *c);
    }
    return 0;
}
