/* Keeps what is positive, in order. */
#include "data.h"

int compact(int n, const int *restrict in, int *restrict out, int *restrict before)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        before[i] = count;
        if (in[i] > 0)
            count++;
    }
    for (int i = 0; i < n; i++)
        if (in[i] > 0)
            out[before[i]] = in[i];
#pragma endscop
    return count;
}

int main(void)
{
    DATA_EACH(n) {
        int *in = data_ints(n, 6), *out = data_ints(n, 3), *before = data_ints(n, 3);
        for (int i = 0; i < n; i++)
            in[i] -= 3;
        int count = compact(n, in, out, before);
        data_show("compact", count, out, 4 * n);
        data_show("before", count, before, 4 * n);
    }
}
