#include <stdio.h>
#include <stdlib.h>

/* `static` says how many there are at least. */
static void at_least(int n, const int row[restrict static 1], long a[restrict static 1],
                     const short b[restrict static 1])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            a[i] += b[j] * (j + 1);
#pragma endscop
}

struct list {
    int used;
    short values[1];
};

struct table {
    int count;
    struct list rows;
};

/* Arrays at the end of what a pointer points at have as many elements as were allocated. */
static void lists(int n, const int *restrict row, long a[restrict n], struct list *restrict l,
                  const struct table *restrict t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = row[i]; j < row[i + 1]; j++)
            a[i] += l->values[j] - 3 * t->rows.values[j];
    for (int i = 0; i < n; i++)
        for (int j = row[i + 1] - 1; j >= row[i]; j--)
            l->values[j] = (short)(i - l->values[j]);
#pragma endscop
}

#define N 37
#define ALL 200

int main(void)
{
    static int row[N + 1];
    static long a[N];
    static short b[ALL];
    size_t bytes = ALL * sizeof(short);
    struct list *l = calloc(1, sizeof(struct list) + bytes);
    struct table *t = calloc(1, sizeof(struct table) + bytes);
    for (int i = 0; i < N; i++)
        row[i + 1] = row[i] + i * 5 % 11;
    for (int k = 0; k < ALL; k++) {
        b[k] = (short)(k * 7 % 100);
        l->values[k] = (short)(k * 13 % 101);
        t->rows.values[k] = (short)(k * 17 % 103);
    }
    at_least(N, row, a, b);
    lists(N, row, a, l, t);
    for (int i = 0; i < N; i++)
        printf("%ld\n", a[i]);
    for (int k = 0; k < ALL; k++)
        printf("%d\n", l->values[k]);
    free(l);
    free(t);
    return 0;
}
