/* Counters and sums by index: rows that are kept, ranks, histograms; results lie behind one another
 * in one piece of memory, or overlap. */
#include "data.h"

void keep(int n, int m, int *out, const int *in, int *counts)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int j = 0; j < m; j++)
            if (in[i * m + j] > 500)
                out[i * m + count++] = in[i * m + j];
        counts[i] = count;
    }
#pragma endscop
}

int select_rows(int n, int *rows, const int *in)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (in[i] > 500)
            rows[count++] = in[i];
#pragma endscop
    return count;
}

void merge(int n, int m, int *out, const int *a, const int *b)
{
    int i = 0, j = 0;
#pragma scop
    for (int k = 0; k < n + m; k++)
        out[k] = j >= m || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
#pragma endscop
}

/* What is counted is squared in the same region. */
int squares(int n, int *positive, int *twice, const int *in)
{
    int found = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        positive[found] = in[i];
        found += in[i] > 300;
    }
    for (int i = 0; i < n; i++)
        twice[i] = (in[i] & 1023) * (in[i] & 1023);
#pragma endscop
    return found;
}

void add_by_owner(int n, int dim, int *sum, const int *in, const int *owner)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < dim; j++)
            sum[owner[i] * dim + j] += in[i * dim + j];
#pragma endscop
}

void histogram(int n, int *bins, const int *place, const int *weight)
{
#pragma scop
    for (int i = 0; i < n; i++)
        bins[place[i]] += weight[i];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        size_t count = 30 * n + 40;
        int *all = data_ints(count, 1000), *place = data_ints(2 * n, 8);
        for (int less = 0; less < 3; less++) {
            keep(n, 5, all + 5 * n, all, all + 10 * n);
            keep(n, 5, all + (n > 0 ? 5 * n - less : 0), all, all + (n > 0 ? 10 * n - 2 * less : 0));
            int kept = select_rows(n, all + (n > less ? n - less : n), all);
            kept += squares(n, all + n, all + (n > 0 ? 2 * n + 1 - less : 1), all);
            merge(n, n, all + (n > 0 ? 4 * n - less : 0), all + n, all + 3 * n);
            add_by_owner(n, 3, all, all + 24 - less, place);
            histogram(n, all, place, all + 8 - less);
            data_show("all", kept, all, count * sizeof *all);
            for (size_t k = 0; k < count; k++)
                all[k] &= 1023;
        }
        /* Places that the sums change. */
        for (int i = 0; i < 2 * n; i++)
            place[i] = i < n ? (int)(data_next() % (unsigned)n) : 0;
        for (size_t k = 0; k < count; k++)
            all[k] &= 1;
        histogram(n, place, place, all);
        data_show("itself", n, place, 2 * n * sizeof *place);
        free(all), free(place);
    }
}
