/* Loops whose test or whose counters stand elsewhere than in a head. */
#include "data.h"

int do_up(int *restrict a, int n)
{
    int i = 0;
#pragma scop
    do {
        a[i] = 3 * i;
        i++;
    } while (i < n);
#pragma endscop
    return i;
}

void do_down(int *a, int n)
{
#pragma scop
    do {
        a[n - 1] = a[n - 1] * 3 + n;
    } while (--n);
#pragma endscop
}

void do_nested(int *restrict a, int w, int h)
{
#pragma scop
    int y = 0;
    do {
        int x = 0;
        do
            a[y * w + x] += x;
        while (++x < w);
    } while (++y < h);
#pragma endscop
}

void ever(float *restrict a, const float *restrict b, size_t n)
{
    size_t i = 0;
#pragma scop
    for (;;) {
        if (i >= n)
            break;
        a[i] = b[i] * 2.0f;
        ++i;
    }
#pragma endscop
}

void ever_to(int *a, int n)
{
#pragma scop
    int i = 0;
    while (1) {
        a[i] ^= i;
        if (++i == n)
            break;
    }
#pragma endscop
}

void reverse(char *restrict s, int n)
{
    int lo = 0, hi = n - 1;
#pragma scop
    while (lo < hi) {
        char t = s[lo];
        s[lo++] = s[hi];
        s[hi--] = t;
    }
#pragma endscop
}

void mirror(unsigned char *restrict img, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        int l = 0, r = w - 1;
        while (l < r) {
            unsigned char t = img[y * w + l];
            img[y * w + l] = img[y * w + r];
            img[y * w + r] = t;
            l++, r--;
        }
    }
#pragma endscop
}

int same_ends(const int *restrict a, int n)
{
    int i = 0, j = n - 1, same = 0;
#pragma scop
    while (i <= j) {
        same += a[i] == a[j];
        ++i;
        --j;
    }
#pragma endscop
    return same;
}

void in_the_middle(float *restrict o, const float *restrict b, int n)
{
    int i = 0, k = 0;
#pragma scop
    while (i + 1 < n) {
        float x = b[i++];
        float y = b[i++];
        o[k++] = x + y;
        o[k++] = x - y;
    }
#pragma endscop
}

void small_counters(uint8_t *restrict t, uint8_t n, unsigned short m, int *restrict h)
{
#pragma scop
    for (uint8_t i = n; i-- > 0;)
        t[i] = i * 3 + 200;
    while (m--)
        h[m] += m;
#pragma endscop
}

/* By fours, and the rest. */
void unrolled(float *restrict y, const float *restrict x, int n)
{
    int i;
#pragma scop
    for (i = 0; i + 3 < n; i += 4) {
        y[i] = x[i] * 2;
        y[i + 1] = x[i + 1] * 2;
        y[i + 2] = x[i + 2] * 2;
        y[i + 3] = x[i + 3] * 2;
    }
    for (; i < n; i++)
        y[i] = x[i] * 2 + 1;
#pragma endscop
}

/* Its turns decide when it ends. */
int position(const int *restrict a, int n, int x)
{
    int i = 0;
#pragma scop
    do {
        if (a[i] == x)
            break;
        i++;
    } while (i < n);
#pragma endscop
    return i;
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        int *a = data_ints(700, 1000);
        float *x = data_floats(size), *y = calloc(size + 1, sizeof *y);
        unsigned char *p = data_bytes(1200);
        int left = do_up(a, n) + do_up(a, n - 5);
        do_down(a, n + 1);
        do_nested(a, n % 12, 5);
        do_nested(a, 7, -n);
        ever_to(a, n + 1);
        left += same_ends(a, n) + position(a, n + 1, a[n / 2]);
        data_show("ints", left, a, 700 * sizeof *a);
        ever(y, x, size);
        data_show("ever", n, y, size * sizeof *y);
        in_the_middle(y, x, n);
        data_show("middle", n, y, size * sizeof *y);
        unrolled(y, x, n);
        data_show("unrolled", n, y, size * sizeof *y);
        reverse((char *)p, n);
        mirror(p, n, 10);
        small_counters(p, (uint8_t)n, (unsigned short)(5 * n), a);
        data_show("bytes", n, p, 1200);
        data_show("small", n, a, 700 * sizeof *a);
        free(a), free(x), free(y), free(p);
    }
}
