/* Levenshtein's distance of two strings. */
#include "data.h"

int distance(int n, int m, const char a[restrict n], const char b[restrict m],
             int d[restrict n + 1][m + 1])
{
#pragma scop
    for (int i = 0; i <= n; i++)
        d[i][0] = i;
    for (int j = 0; j <= m; j++)
        d[0][j] = j;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int cost = a[i - 1] == b[j - 1] ? 0 : 1;
            int best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (d[i - 1][j - 1] + cost < best)
                best = d[i - 1][j - 1] + cost;
            d[i][j] = best;
        }
#pragma endscop
    return d[n][m];
}

int main(void)
{
    DATA_EACH(n) {
        int m = n / 2 + 3;
        char *a = data_bytes(n), *b = data_bytes(m);
        for (int i = 0; i < n; i++)
            a[i] &= 3;
        for (int i = 0; i < m; i++)
            b[i] &= 3;
        int *d = data_ints((n + 1) * (m + 1), 9);
        int result = distance(n, m, a, b, (void *)d);
        data_show("distance", result, d, sizeof(int) * (n + 1) * (m + 1));
    }
}
