/* Loops that go on until one pointer comes to another one, and pointers that are copied. */
#include "data.h"

float *scale(float *restrict out, const float *p, const float *end)
{
#pragma scop
    while (p < end) {
        out[0] = p[0] * 2;
        out[1] = p[3] - 1;
        out += 2;
        p += 4;
    }
#pragma endscop
    return out;
}

void swap_channels(unsigned char *p, unsigned char *end)
{
    end -= 12;
#pragma scop
    while (p <= end) {
        unsigned char a = p[0], b = p[3], c = p[6], d = p[9];
        p[0] = p[2];
        p[3] = p[5];
        p[6] = p[8];
        p[9] = p[11];
        p[2] = a;
        p[5] = b;
        p[8] = c;
        p[11] = d;
        p += 12;
    }
#pragma endscop
    end += 12;
#pragma scop
    while (p < end) {
        unsigned char t = p[0];
        p[0] = p[2];
        p[2] = t;
        p += 3;
    }
#pragma endscop
}

void backwards(float *a, float *base, float by)
{
    float *z = a;
#pragma scop
    while (z > base) {
        z[-1] = z[-1] * by + z[-2];
        z -= 2;
    }
#pragma endscop
    z[0] += 1;
}

long both(const int *p, const int *end, int *q)
{
    int *first = q;
#pragma scop
    while (p < end) {
        *q = *p + 3;
        p++;
        q++;
    }
#pragma endscop
    return (q - first) * 100 + (end - p);
}

void strides(int ido, int l1, const float *cc, float *ch)
{
    int k, t1 = ido, t2 = cc[0] > 0 ? 1 : 0;
#pragma scop
    for (k = 0; k < l1; k++) {
        ch[t1] = -cc[t2];
        ch[t1 - 1] = cc[t2 + 1];
        t1 += ido << 1;
        t2 += ido;
    }
#pragma endscop
}

typedef struct {
    int rows, cols;
    float **vals;
} matrix;

void join(matrix to, matrix a, matrix b)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < a.rows; ++i)
        to.vals[count++] = a.vals[i];
    for (int i = 0; i < b.rows; ++i)
        to.vals[count++] = b.vals[i];
#pragma endscop
}

void drop(float **rows, int *count, int by)
{
    int n = *count;
#pragma scop
    for (int i = by; i < n; i++)
        rows[i - by] = rows[i];
    for (int i = n < by ? 0 : n - by; i < n; i++)
        rows[i] = 0;
#pragma endscop
    *count = n < by ? 0 : n - by;
}

int leave_early(const float *x, int n, float *out)
{
    int k, found = 0;
    if (n < 2)
        goto done;
#pragma scop
    for (k = 0; k < n; k++)
        out[k] = x[k] * 3;
#pragma endscop
    if (out[0] > 1)
        goto done;
    found = 1;
done:
    for (k = 0; k < n; k++)
        out[k] += 1;
    return found;
}

int main(void)
{
    DATA_EACH(n) {
        float *in = data_floats(4 * n + 16), *out = data_floats(4 * n + 16);
        float *end = scale(out, in, in + 4 * n);
        printf("%ld\n", (long)(end - out));
        data_show("scale", n, out, (4 * n + 16) * sizeof *out);
        end = scale(out, in + 4, in);
        printf("%ld\n", (long)(end - out));
        unsigned char *bytes = data_bytes(3 * n + 24);
        swap_channels(bytes + 12, bytes + 12 + 3 * n);
        data_show("swap", n, bytes, 3 * n + 24);
        backwards(in + 2 * n + 3, in + 3, 0.5f);
        data_show("backwards", n, in, (4 * n + 16) * sizeof *in);
        int *p = calloc(n + 1, sizeof *p), *q = calloc(n + 1, sizeof *q);
        printf("%ld\n", both(p, p + n, q));
        for (int i = 1; i < (int)n; i++)
            p[i] = i;
        printf("%ld\n", both(p, p + n - n / 3, p + n / 3));
        data_show("both", n, p, (n + 1) * sizeof *p);
        strides(2, (int)n, in, out);
        strides(1, (int)n, in, in + n);
        strides(3, 0, in, out);
        data_show("strides", n, in, (4 * n + 16) * sizeof *in);
        float **rows = calloc(2 * n + 1, sizeof *rows), **more = calloc(2 * n + 1, sizeof *more);
        for (int i = 0; i < (int)n; i++)
            more[i] = in + i;
        matrix a = {n, 1, more}, b = {n / 2, 1, more}, to = {0, 1, rows};
        join(to, a, b);
        unsigned long sum = 0;
        for (int i = 0; i < (int)(n + n / 2); i++)
            sum = sum * 3 + (rows[i] - in);
        int count = n;
        drop(more, &count, 2);
        join(a, a, b);
        for (int i = 0; i < (int)n; i++)
            sum = sum * 5 + (more[i] ? more[i] - in : -1);
        printf("%lu %d\n", sum, count);
        printf("%d\n", leave_early(in, n, out));
        data_show("leave", n, out, (4 * n + 16) * sizeof *out);
    }
}
