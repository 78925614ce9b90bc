#include <stdio.h>

typedef unsigned long size_t;

struct layer {
    size_t m;
    int k;
    unsigned char *a;
    const unsigned *b;
};

struct net {
    int rows, columns;
    const struct layer *last;
};

/* The layer is followed where there are rows. */
static void sums(const struct layer *lay, int n, double *restrict out, const double *restrict in)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (size_t j = 0; j < lay->m; j++)
            out[i] += in[i + j];
#pragma endscop
}

/* Where there is a row behind the fifth one. */
static void late(const struct layer *lay, int n, double *out, const double *in)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (i > 5)
            for (int j = 0; j < lay->k; j++)
                out[i * 3 + j] = in[i + j * 2];
#pragma endscop
}

/* Sizes of one say whether the other one is followed. */
static void chain(const struct net *net, double *restrict out)
{
#pragma scop
    for (int y = 0; y < net->rows; y++)
        for (int x = 0; x < net->columns; x++)
            for (int k = 0; k < net->last->k; k++)
                out[y] += net->last->b[k + x];
#pragma endscop
}

/* Memory behind two of them is compared. */
static void both(const struct layer *from, const struct layer *to, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            to->a[i + j] = from->a[j] + i;
    }
#pragma endscop
}

/* A value decides nothing, and is only read. */
static long values(const struct layer *lay, int n, const int *restrict v)
{
    long s = 0;
#pragma scop
    for (int i = 2; i + 1 < n; i++)
        if (v[i] == 3)
            s += lay->m * i;
#pragma endscop
    return s;
}

/* The other operand of a condition is not evaluated. */
static void operands(const struct layer *lay, int n, int p, double *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (p > 0 && i < lay->k)
            out[i] += 2;
        out[i] *= i < 4 ? 3 : 1;
    }
    for (int i = 0; i < n; i++)
        if (p > 0)
            for (int j = 0; j < lay->k; j++)
                out[i] += j;
#pragma endscop
}

/* What has been followed on the way is there. */
static void before(const struct layer *lay, int n, double *restrict out)
{
    const int k = lay->k;
#pragma scop
    for (int i = 0; i < n; i++)
        for (size_t j = 0; j < lay->m; j++)
            out[i] += k + j;
#pragma endscop
}

int main(void)
{
    double out[64] = {0}, in[64];
    unsigned char a[64], c[64];
    unsigned b[64];
    int v[64];
    for (int i = 0; i < 64; i++) {
        in[i] = i / 8.0;
        a[i] = c[i] = 3 * i;
        b[i] = 5 * i;
        v[i] = i % 4;
    }
    struct layer second = {4, 5, c, b}, first = {7, 6, a, b};
    struct net none = {0, 3, 0}, full = {5, 7, &second};
    sums(0, 0, out, in);
    sums(0, -3, out, in);
    sums(&first, 9, out, in);
    late(0, 6, out, in);
    late(0, 0, out, in);
    late(&first, 12, out, in);
    chain(&none, out);
    none.rows = 4;
    none.columns = 0;
    chain(&none, out);
    chain(&full, out);
    both(0, 0, 0, 4);
    both(0, 0, 5, 0);
    both(&first, &second, 5, 6);
    both(&first, &first, 5, 6);
    long s = values(0, 2, v) + values(0, 3, v) + values(&first, 20, v);
    operands(0, 9, 0, out);
    operands(0, 0, 1, out);
    operands(&first, 9, 1, out);
    before(&first, 7, out);
    printf("%ld", s);
    for (int i = 0; i < 64; i++)
        printf(" %g %d %d", out[i], a[i], c[i]);
    printf("\n");
    return 0;
}
