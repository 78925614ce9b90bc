/* Variables that are computed from one another, each from two before it: what the last one holds,
   written over the first, has more terms than could ever be counted. */
#include <stdio.h>

#define TWICE(step) step step
#define LINKS(step) TWICE(TWICE(TWICE(TWICE(TWICE(TWICE(step))))))

static void mixed(int n, unsigned *restrict out, const unsigned *restrict in)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned x = in[i], y = x + 1;
        LINKS(x = x * y + (y >> 3); y = x ^ y;)
        out[i] = x + y;
    }
#pragma endscop
}

#define LINK(a, b, c) double c = a * 0.75 + b * a;
#define LINKS_OF_FOUR(a, b, c, d, e, f) LINK(a, b, c) LINK(b, c, d) LINK(c, d, e) LINK(d, e, f)

/* Each has one value, from a cell that data picks. */
static void picked(int n, double *restrict out, const double *restrict table, const int *restrict at)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double a = table[at[i] & 15], b = a * a;
        LINKS_OF_FOUR(a, b, c, d, e, f)
        LINKS_OF_FOUR(e, f, g, h, j, k)
        LINKS_OF_FOUR(j, k, l, m, o, p)
        LINKS_OF_FOUR(o, p, q, r, s, t)
        LINKS_OF_FOUR(s, t, u, v, w, x)
        LINKS_OF_FOUR(w, x, y, z, a1, b1)
        LINKS_OF_FOUR(a1, b1, c1, d1, e1, f1)
        LINKS_OF_FOUR(e1, f1, g1, h1, j1, k1)
        LINKS_OF_FOUR(j1, k1, l1, m1, o1, p1)
        LINKS_OF_FOUR(o1, p1, q1, r1, s1, t1)
        out[i] = s1 + t1;
    }
#pragma endscop
}

/* Where a cell is follows from a chain, too. */
static void placed(int n, int *restrict out, const int *restrict in)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int k = i;
        LINKS(k = k + k > 2 * n - 2 ? n - 1 : (k + k) / 2;)
        out[k] = in[i] * 3;
    }
#pragma endscop
}

int main(void)
{
    enum { N = 300 };
    unsigned in[N], out[N], sum = 0;
    double table[16], values[N], total = 0;
    int at[N], places[N];
    for (int i = 0; i < N; i++) {
        in[i] = i * 2654435761u;
        at[i] = i * 7;
        places[i] = -1;
    }
    for (int i = 0; i < 16; i++)
        table[i] = i / 40.0;
    mixed(N, out, in);
    picked(N, values, table, at);
    placed(N, places, at);
    for (int i = 0; i < N; i++) {
        sum = sum * 31 + out[i] + places[i];
        total += values[i] * i;
    }
    printf("%u %.17g\n", sum, total);
    return 0;
}
