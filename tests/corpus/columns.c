/* Tables of a database, column by column. */
#include "data.h"

typedef struct {
    const int *price;
    const int *quantity;
    const uint8_t *kind;
    int rows;
} Table;

/* Writes the numbers of the rows that fit. Returns how many. */
int select_rows(const Table *t, int lo, int hi, uint8_t kind, int *rows)
{
    int n = 0;
#pragma scop
    for (int r = 0; r < t->rows; r++)
        if (t->price[r] >= lo && t->price[r] < hi && t->kind[r] == kind)
            rows[n++] = r;
#pragma endscop
    return n;
}

struct group {
    long sum;
    int count, min, max;
};

void group_by_kind(const Table *t, struct group *groups, int kinds)
{
#pragma scop
    for (int k = 0; k < kinds; k++) {
        groups[k].sum = groups[k].count = 0;
        groups[k].min = 1000000;
        groups[k].max = -1000000;
    }
    for (int r = 0; r < t->rows; r++) {
        struct group *g = &groups[t->kind[r] % kinds];
        int total = t->price[r] * t->quantity[r];
        g->sum += total;
        g->count++;
        if (total < g->min)
            g->min = total;
        if (total > g->max)
            g->max = total;
    }
#pragma endscop
}

/* Builds chains of the left keys and probes them. Returns the number of pairs. */
int hash_join(const int *left, int ln, const int *right, int rn, int *head, int *next, int buckets,
              int *pairs, int limit)
{
    int found = 0;
#pragma scop
    for (int b = 0; b < buckets; b++)
        head[b] = -1;
    for (int i = 0; i < ln; i++) {
        int b = left[i] % buckets;
        next[i] = head[b];
        head[b] = i;
    }
    for (int j = 0; j < rn; j++) {
        for (int i = head[right[j] % buckets]; i >= 0; i = next[i]) {
            if (left[i] != right[j])
                continue;
            if (found < limit) {
                pairs[2 * found] = i;
                pairs[2 * found + 1] = j;
            }
            found++;
        }
    }
#pragma endscop
    return found;
}

/* Codes for the different values in the order of their coming. Returns how many. */
int dictionary(const int *column, int n, int *values, uint16_t *codes)
{
    int used = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        int c;
        for (c = 0; c < used; c++)
            if (values[c] == column[i])
                break;
        if (c == used)
            values[used++] = column[i];
        codes[i] = (uint16_t)c;
    }
#pragma endscop
    return used;
}

/* Joins two sorted columns into one. */
void merge_sorted(const int *a, int n, const int *b, int m, int *out)
{
    int i = 0, j = 0, k = 0;
#pragma scop
    while (i < n && j < m)
        out[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < n)
        out[k++] = a[i++];
    while (j < m)
        out[k++] = b[j++];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *price = data_ints(n, 40), *quantity = data_ints(n, 9);
        Table t = {price, quantity, data_bytes(n), n};
        for (int i = 0; i < n; i++)
            ((uint8_t *)t.kind)[i] &= 3;
        int *rows = data_ints(n, 2);
        int count = select_rows(&t, 5, 30, 1, rows);
        data_show("select", count, rows, count * sizeof *rows);
        struct group groups[3];
        group_by_kind(&t, groups, 3);
        for (int k = 0; k < 3; k++)
            printf("%ld/%d/%d/%d ", groups[k].sum, groups[k].count, groups[k].min, groups[k].max);
        int head[11], *next = data_ints(n, 2), *pairs = data_ints(200, 1);
        int found = hash_join(price, n, quantity, n, head, next, 11, pairs, 100);
        data_show("join", found, pairs, 200 * sizeof *pairs);
        uint16_t *codes = data_bytes(2 * n);
        int used = dictionary(price, n, rows, codes);
        data_show("codes", used, codes, 2 * n);
        for (int i = 1; i < n; i++) {
            price[i] += price[i - 1];
            quantity[i] += quantity[i - 1];
        }
        int *merged = data_ints(2 * n, 2);
        merge_sorted(price, n, quantity, n, merged);
        data_show("merge", n, merged, 2 * n * sizeof *merged);
    }
}
