/* Rows behind pointers that end with more elements than their type says, that hold the sizes of their
 * own table, and whose neighbours are called as generated text would call its own.
 */
#include "data.h"

struct tail {
    long n;
    double x[];
};
struct one {
    double x[2];
};
struct table {
    int n;
    int **v;
};

void fill(struct tail **a, const double *b, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i]->x[j] = b[j] * 0.5 + i;
#pragma endscop
}

void pairs(struct one **a, const double *b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2; j++)
            a[i]->x[j] = b[2 * i + j] * 0.5 + a[i]->x[1 - j];
#pragma endscop
}

void clear(struct table *a, int m)
{
#pragma scop
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j < m; j++)
            a->v[i][j] = 0;
#pragma endscop
}

void halve(double **tw_row, double **tw_other, int tw_up, int tw_apart)
{
#pragma scop
    for (int i = 0; i < tw_up; i++)
        for (int j = 0; j < tw_apart; j++)
            tw_row[i][j] = tw_other[i][j] * 0.5;
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int m = n / 2 + 1;
        double *b = data_doubles(2 * n + m + 40);
        struct tail **a = malloc((n + 1) * sizeof *a);
        for (int i = 0; i < n; i++)
            a[i] = memset(malloc(sizeof(struct tail) + m * sizeof(double)), 0, sizeof(struct tail) + m * sizeof(double));
        fill(a, b, n, m);
        /* From a row to where it is read. */
        if (n > 3)
            fill(a, a[n - 2]->x, n, m);
        for (int i = 0; i < n; i++)
            data_show("tail", n, a[i], sizeof(struct tail) + m * sizeof(double));
        double *block = data_doubles(3 * n + 40);
        struct one **p = malloc((n + 1) * sizeof *p);
        for (int i = 0; i < n; i++)
            p[i] = (struct one *)(block + (i % 2 ? 2 * i : i));
        pairs(p, b, n);
        for (int i = 0; i < n; i++)
            p[i] = (struct one *)(block + 2 * i);
        pairs(p, b, n);
        pairs(p, block + 1, n);
        data_show("pairs", n, block, 3 * n * sizeof(double));
        struct table t = {n, malloc((n + 1) * sizeof(int *))};
        int *cells = data_ints((n + 1) * m, 9);
        for (int i = 0; i < n; i++)
            t.v[i] = cells + i * m;
        clear(&t, m - 1);
        data_show("clear", t.n, cells, n * m * sizeof(int));
        /* The first row is the number of rows; behind it there is none. */
        if (n > 0) {
            int **only = malloc(sizeof *only);
            only[0] = &t.n;
            t.v = only;
            clear(&t, 1);
            data_show("none", t.n, &t.n, sizeof t.n);
        }
        double **x = malloc((n + 1) * sizeof *x), **y = malloc((n + 1) * sizeof *y);
        double *both = data_doubles(2 * n * m + 9);
        for (int i = 0; i < n; i++) {
            x[i] = both + i * m;
            y[i] = both + (n + i) * m;
        }
        halve(x, y, n, m);
        for (int i = 0; i < n; i++)
            y[i] = x[n - 1 - i] + 1;
        halve(x, y, n, m);
        data_show("halves", n, both, 2 * n * m * sizeof(double));
    }
    return 0;
}
