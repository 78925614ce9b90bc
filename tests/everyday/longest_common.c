/* The longest common subsequence, two rows at a time. */
#include "data.h"

int lcs(int n, int m, const char *a, const char *b, int *prev, int *cur)
{
#pragma scop
    for (int j = 0; j <= m; j++)
        prev[j] = 0;
    for (int i = 1; i <= n; i++) {
        cur[0] = 0;
        for (int j = 1; j <= m; j++)
            if (a[i - 1] == b[j - 1])
                cur[j] = prev[j - 1] + 1;
            else
                cur[j] = prev[j] > cur[j - 1] ? prev[j] : cur[j - 1];
        for (int j = 0; j <= m; j++)
            prev[j] = cur[j];
    }
#pragma endscop
    return prev[m];
}

int main(void)
{
    DATA_EACH(n) {
        int m = n + 4;
        char *a = data_bytes(n), *b = data_bytes(m);
        for (int i = 0; i < n; i++)
            a[i] &= 3;
        for (int i = 0; i < m; i++)
            b[i] &= 3;
        int *prev = data_ints(m + 1, 2), *cur = data_ints(m + 1, 2);
        data_show("lcs", lcs(n, m, a, b, prev, cur), prev, 4 * (m + 1));
    }
}
