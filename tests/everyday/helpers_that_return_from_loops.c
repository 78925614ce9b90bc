/* Functions that leave their loops, called in loops. */
#include "data.h"
static int first_above(const int *p, int n, int limit)
{
    int at = n;
    for (int i = 0; i < n; i++)
        if (p[i] > limit) {
            at = i;
            break;
        }
    return at;
}
static int length(const char *s, int most)
{
    const char *p = s;
    while (*p && p - s < most)
        p++;
    return p - s;
}
static const int *find(const int *p, const int *end, int what)
{
    while (p != end && *p != what)
        p++;
    return p;
}
static int found(const int *p, int n, int what)
{
    int hits = 0;
    const int *end = p + n;
    do {
        if (*p == what)
            hits++;
        if (hits == 3)
            break;
    } while (++p < end);
    return hits;
}
static void skip_odd(int *to, const int *from, int n, int *count)
{
    int k = 0;
    while (n--) {
        int v = *from++;
        if (v & 1)
            continue;
        to[k++] = v;
    }
    *count = k;
}
static int compare(const unsigned char *a, const unsigned char *b, int n)
{
    for (int i = 0; i < n; i++, a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}
static int contains(const int *p, int n, int what)
{
    for (int i = 0; i < n; i++)
        if (p[i] == what)
            return 1;
    return 0;
}
static double until(const double *p, int n, double limit)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += p[i];
        if (sum > limit)
            return i;
    }
    sum *= 2;
    for (int i = n - 1; i >= 0; i--)
        if (p[i] < sum)
            return sum - p[i];
    return -sum;
}
static void clamp_first(int *p, int n, int limit)
{
    for (int i = 0; i < n; i++)
        if (p[i] > limit) {
            p[i] = limit;
            return;
        }
    p[0] = -1;
}
static int pairs(const int *p, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (p[i] + p[j] == 11)
                return i * n + j;
    return -1;
}
void which(const int *a, int h, int w, int *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        out[y] = contains(a + y * w, w, 5) ? y : -y;
#pragma endscop
}
void limits(const double *a, int h, int w, double *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        out[y] = until(a + y * w, w, 0.7);
#pragma endscop
}
void clamps(int *a, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++)
        clamp_first(&a[y * w], w, 6);
#pragma endscop
}
void elevens(const int *a, int h, int w, int *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        out[y] = pairs(a + y * w, w);
#pragma endscop
}
void rows(const int *a, int h, int w, int limit, int *at)
{
#pragma scop
    for (int y = 0; y < h; y++)
        at[y] = first_above(a + y * w, w, limit);
#pragma endscop
}
void lengths(const char *text, int lines, int width, int *out)
{
#pragma scop
    for (int i = 0; i < lines; i++)
        out[i] = length(text + i * width, width);
#pragma endscop
}
void where(const int *a, int h, int w, int what, long *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        out[y] = find(a + y * w, a + (y + 1) * w, what) - (a + y * w);
#pragma endscop
}
void hits(const int *a, int h, int w, int what, int *out)
{
#pragma scop
    for (int y = 0; y < h; y++)
        out[y] = found(a + y * w, w, what);
#pragma endscop
}
void evens(const int *a, int h, int w, int *out, int *counts)
{
#pragma scop
    for (int y = 0; y < h; y++)
        skip_odd(out + y * w, a + y * w, w, &counts[y]);
#pragma endscop
}
void order(const unsigned char *a, int h, int w, int *out)
{
#pragma scop
    for (int y = 0; y + 1 < h; y++)
        out[y] = compare(a + y * w, a + (y + 1) * w, w);
#pragma endscop
}
int main(void)
{
    DATA_EACH(n) {
        if (n < 2) continue;
        int w = n / 2, *a = data_ints(n * n + 8, 9), *out = calloc(n * n + 8, sizeof *out), *c = calloc(n + 1, sizeof *c);
        long *o = calloc(n + 1, sizeof *o);
        unsigned char *b = data_bytes(n * n + 8);
        char *t = malloc(n * n + 9);
        for (int i = 0; i < n * n + 8; i++) { t[i] = b[i] % 7 ? 'x' : 0; b[i] %= 2; }
        t[n * n + 8] = 0;
        rows(a, n, w, 7, c); data_show("rows", n, c, n * sizeof *c);
        lengths(t, n, w, c); data_show("lengths", n, c, n * sizeof *c);
        where(a, n, w, 4, o); data_show("where", n, o, n * sizeof *o);
        hits(a, n, w, 4, c); data_show("hits", n, c, n * sizeof *c);
        evens(a, n, w, out, c); data_show("evens", n, out, n * n * sizeof *out);
        data_show("evens", n, c, n * sizeof *c);
        order(b, n, w, c); data_show("order", n, c, n * sizeof *c);
        double *d = data_doubles(n * n), *e = calloc(n, sizeof *e);
        which(a, n, w, c); data_show("which", n, c, n * sizeof *c);
        elevens(a, n, w, c); data_show("elevens", n, c, n * sizeof *c);
        limits(d, n, w, e); data_show("limits", n, e, n * sizeof *e);
        limits(d, n, w, d + 2); data_show("limits", n, d, n * n * sizeof *d);
        clamps(a, n, w); data_show("clamps", n, a, n * n * sizeof *a);
        rows(a, n, w, 7, a + w); data_show("rows", n, a, n * n * sizeof *a);
        evens(a, n, w, a + 3, a + 1); data_show("evens", n, a, n * n * sizeof *a);
    }
    return 0;
}
