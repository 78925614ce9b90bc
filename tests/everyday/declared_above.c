/* Variables that are declared above all loops, as C once wanted it. */
#include "data.h"

void scaled(int n, int w, float *out, const float *in)
{
    int i, j, at;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < w; j++) {
            at = i * w + j;
            out[at] = 2 * in[at];
        }
#pragma endscop
}

/* One index after the other in the same variable. */
void bank(int n, const int *left, const int *right, const float *weight, const float *in, float *out)
{
    int i, id;
#pragma scop
    for (i = 0; i < n; i++) {
        id = left[i];
        out[id] += weight[i] * in[i];
        id = right[i];
        out[id] += (1 - weight[i]) * in[i];
    }
#pragma endscop
}

void bank_back(int n, const int *left, const int *right, const float *weight, float *out, const float *in)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int id = left[i];
        out[i] = in[id] * weight[i];
        id = right[i];
        out[i] += in[id] * (1 - weight[i]);
    }
#pragma endscop
}

/* A window of an image, mirrored if wanted; the counter is the caller's. */
int cut(int h, int w, int rows, int columns, int y, int x, int flip, float *out, const float *in)
{
    int i, j, row, column, at, count = 0;
#pragma scop
    for (i = 0; i < rows; ++i) {
        for (j = 0; j < columns; ++j) {
            if (flip) {
                column = w - x - j - 1;
            } else {
                column = j + x;
            }
            row = i + y;
            at = column + w * row;
            out[count++] = in[at] * 2 + h;
        }
    }
#pragma endscop
    return count;
}

/* Both halves of the body, and both loops, use it for themselves. */
void twice(int n, int *a, int *b)
{
    int i, k, t;
#pragma scop
    for (i = 0; i < n; i++) {
        k = n - 1 - i;
        t = k;
        a[t] += i;
        if (a[k] > 50) {
            k = i / 2;
            b[k] += 1;
        }
    }
    for (i = 1; i < n; i++) {
        k = i - 1;
        b[k] ^= a[i];
        k = i;
        b[k] += 3;
        t = k - 1;
        a[t] = b[k];
    }
#pragma endscop
}

/* Read behind the loop, and from one turn to the next: these are one variable. */
int carried(int n, const int *in, int *out)
{
    int i, k = 0, last = -1;
#pragma scop
    for (i = 0; i < n; i++) {
        out[k] += in[i];
        k = in[i] % n;
        if (in[i] > 60)
            last = i;
    }
#pragma endscop
    return k + last;
}

int kept(int n, int *a)
{
    int i, k = 7;
#pragma scop
    for (i = 0; i < n; i++) {
        k = 2 * i;
        a[k] = i;
        k = 2 * i + 1;
        a[k] = -i;
    }
#pragma endscop
    return k;
}

/* The parameter itself, in a region that is executed several times. */
void spread(int n, int at, int *a)
{
    for (int round = 0; round < 3; round++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            at = i * 3 % n;
            a[at] += round;
            at = at + 1 < n ? at + 1 : 0;
            a[at] -= i;
        }
#pragma endscop
    }
}

/* Data in a narrow type, cut to it. */
void bytes(int n, unsigned char *a, int *histogram)
{
    unsigned char c;
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        c = a[i] * 3;
        histogram[c]++;
        c = a[i] + 200;
        histogram[c]--;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        float *x = data_floats(4 * n + 8), *y = data_floats(4 * n + 8), *w = data_floats(n);
        scaled(n, 3, x, y);
        data_show("scaled", n, x, 12 * n);
        int *left = data_ints(n, n), *right = data_ints(n, n), *a = data_ints(4 * n + 4, 100);
        bank(n, left, right, w, x, y);
        data_show("bank", n, y, 4 * n);
        bank_back(n, left, right, w, x, y);
        data_show("bank back", n, x, 4 * n);
        bank_back(n, left, right, w, x, x);
        data_show("bank in place", n, x, 4 * n);
        for (int flip = 0; flip < 2; flip++)
            data_show("cut", cut(3, n, 2, n / 2, 1, n / 4, flip, x, y), x, 4 * n);
        twice(n, a, right);
        twice(n, a, a + 1);
        data_show("twice", n, a, 16 * n);
        data_show("carried", n ? carried(n, left, right) : 0, right, 4 * n);
        data_show("kept", kept(n, a), a, 16 * n);
        spread(n, 2, left);
        data_show("spread", n, left, 4 * n);
        unsigned char *c = data_bytes(n);
        int *histogram = data_ints(256, 5);
        bytes(n, c, histogram);
        data_show("bytes", n, histogram, 1024);
    }
}
