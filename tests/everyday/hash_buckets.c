/* How many keys fall into each of 64 buckets, by the golden ratio. */
#include "data.h"

void buckets(unsigned n, const unsigned *restrict key, unsigned *restrict count, int *restrict of)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        unsigned h = key[i] * 2654435761u >> 26;
        count[h]++;
        of[i] = (int)h;
    }
    for (unsigned i = 0; i < n; i++)
        count[(i * 2654435761u) >> 26] += 100;
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned *key = data_bytes(4 * n), *count = calloc(64, 4);
        int *of = data_ints(n, 9);
        buckets(n, key, count, of);
        data_show("buckets", n, count, 256);
        data_show("of", n, of, 4 * n);
    }
}
