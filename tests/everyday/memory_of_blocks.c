/* Memory that a loop allocates in each turn and frees again. */
#include "data.h"
#include <alloca.h>

/* A row is copied before it is written. */
void blur_rows(unsigned char *img, int w, int h, int r)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        unsigned char *row = img + (size_t)y * w;
        unsigned char *copy = malloc(w);
        memcpy(copy, row, w);
        for (int x = 0; x < w; x++) {
            int sum = 0, count = 0;
            for (int k = -r; k <= r; k++) {
                int at = x + k;
                if (at < 0 || at >= w)
                    continue;
                sum += copy[at];
                count++;
            }
            row[x] = sum / count;
        }
        free(copy);
    }
#pragma endscop
}

/* Counts begin at zero in each turn; as C was written once. */
void histograms(const unsigned char *p, int blocks, int size, int *most)
{
    int *count;
    int b, i;
#pragma scop
    for (b = 0; b < blocks; b++) {
        count = (int *)calloc(16, sizeof(int));
        for (i = 0; i < size; i++)
            count[p[b * size + i] & 15]++;
        most[b] = 0;
        for (i = 0; i < 16; i++)
            if (count[i] > count[most[b]])
                most[b] = i;
        if (count)
            free(count);
    }
#pragma endscop
}

/* All of it in one. */
double weighted(const double *a, const double *b, int n, int m)
{
    double s = 0;
#pragma scop
    double *t = (double *)malloc(sizeof(double) * n * m);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i * m + j] = a[i] * b[j];
    for (int i = 0; i < n * m; i++)
        s += t[i];
    free(t);
#pragma endscop
    return s;
}

struct point { float x, y; };

/* Structures, and two of them at once. */
void smooth(struct point *p, int lines, int n)
{
#pragma scop
    for (int l = 0; l < lines; l++) {
        struct point *from = malloc(n * sizeof *from);
        float *weight = malloc(sizeof(float) * (size_t)(n + 2));
        for (int i = 0; i < n; i++) {
            from[i].x = p[l * n + i].x;
            from[i].y = p[l * n + i].y;
            weight[i] = 1.0f / (i + 1);
        }
        for (int i = 1; i < n - 1; i++) {
            p[l * n + i].x = (from[i - 1].x + from[i + 1].x) * weight[i];
            p[l * n + i].y = (from[i - 1].y + from[i + 1].y) * weight[i - 1];
        }
        free(from);
        free(weight);
    }
#pragma endscop
}

/* On the stack; freed where the function ends, and only one at a time is seen. */
void reverse_rows(short *a, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        short *t = alloca(w * sizeof(short));
        for (int x = 0; x < w; x++)
            t[x] = a[y * w + x];
        for (int x = 0; x < w; x++)
            a[y * w + x] = t[w - 1 - x];
    }
#pragma endscop
}

static void double_all(const int *from, int *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[i];
}

/* In a helper, and behind a pointer into it. */
void through_helpers(int *a, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++) {
        int *t = malloc((2 * w + 1) * sizeof(int));
        double_all(a + y * w, t, w);
        int *upper = t + w;
        for (int x = 0; x < w; x++)
            upper[x] = t[x] + 1;
        for (int x = 0; x < w; x++)
            a[y * w + x] = upper[w - 1 - x];
        free(t);
    }
#pragma endscop
}

/* By one name in a block and in one inside, with a size that changes behind. */
int inner_names(const int *a, int n)
{
    int s = 0;
#pragma scop
    for (int k = 0; k < n; k++) {
        int m = n - k;
        int *t = malloc(m * sizeof *t);
        m = 2;
        for (int i = 0; i < n - k; i++)
            t[i] = a[i] + m;
        {
            int *t = malloc(2 * sizeof(int));
            t[0] = a[k];
            t[1] = k;
            s += t[0] + t[1];
            free(t);
        }
        for (int i = 0; i < n - k; i++)
            s += t[i];
        free(t);
    }
#pragma endscop
    return s;
}

/* Set and freed in a region of which something stays as it was. */
int around_a_call(const int *a, int n)
{
    int s = 0, *t;
#pragma scop
    for (int i = 0; i < n; i++)
        s += a[i] & 3;
    t = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        t[i] = a[i] * 2 + s;
    clearerr(stdout);
    for (int i = 0; i < n; i++)
        s += t[i];
    if (t != NULL)
        free(t);
#pragma endscop
    return s;
}

/* Allocated twice by one name. */
int twice(const int *a, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i + 2 < n; i++) {
        int *t = malloc(2 * sizeof(int));
        t[0] = a[i];
        t[1] = a[i + 1];
        s += t[0] ^ t[1];
        free(t);
        t = malloc(3 * sizeof(int));
        t[2] = a[i + 2];
        s += t[2] & 255;
        free(t);
    }
#pragma endscop
    return s;
}

/* What is tested, handed on or left stays what it is. */
int tested(const int *a, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int *t = malloc(sizeof(int) * 4);
        if (!t)
            return -1;
        for (int k = 0; k < 4; k++)
            t[k] = a[i] + k;
        s += t[a[i] & 3];
        free(t);
    }
#pragma endscop
    return s;
}

int *kept[4];
void keep(const int *a, int n)
{
#pragma scop
    for (int i = 0; i < 4; i++) {
        int *t = malloc(sizeof(int) * (n + 1));
        for (int k = 0; k <= n; k++)
            t[k] = i + k;
        kept[i] = t;
    }
    for (int i = 0; i < n; i++)
        kept[i & 3][i] += a[i];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        unsigned char *p = data_bytes(size * 8 + 64);
        int *most = calloc(size + 1, sizeof *most), *a = data_ints(size * 8 + 64, 1000);
        double *u = data_doubles(size + 1), *v = data_doubles(size + 1);
        struct point *q = calloc(size * 4 + 1, sizeof *q);
        short *s = calloc(size * 4 + 1, sizeof *s);
        for (int i = 0; i < 4 * n; i++) {
            q[i].x = (float)(i % 7);
            q[i].y = (float)(i % 5);
            s[i] = (short)(i * 31);
        }
        blur_rows(p, n, 5, 2);
        blur_rows(p, 3, n, 1);
        blur_rows(p, 0, n, 1);
        blur_rows(p, n, 0, 1);
        data_show("blurred", n, p, size * 8 + 64);
        histograms(p, n, 6, most);
        histograms(p, n, 0, most);
        data_show("most", n, most, (size + 1) * sizeof *most);
        double sum = weighted(u, v, n, n / 2 + 1);
        data_show("weighted", n, &sum, sizeof sum);
        smooth(q, 4, n);
        data_show("smooth", n, q, (size * 4 + 1) * sizeof *q);
        reverse_rows(s, 4, n);
        data_show("reversed", n, s, (size * 4 + 1) * sizeof *s);
        through_helpers(a, 4, n);
        data_show("helped", n, a, (size * 8 + 64) * sizeof *a);
        int others[4] = {twice(a, n), tested(a, n), inner_names(a, n), around_a_call(a, n)};
        data_show("others", n, others, sizeof others);
        keep(a, n);
        for (int i = 0; i < 4; i++) {
            data_show("kept", n, kept[i], (size + 1) * sizeof(int));
            free(kept[i]);
        }
        free(p), free(most), free(a), free(u), free(v), free(q), free(s);
    }
}
