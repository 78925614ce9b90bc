/* Problems solved with tables: coins, rising subsequences, chains of matrices, cutting a rod. */
#include "data.h"
#include <limits.h>

/* The number of ways to pay each amount, modulo 1000007. */
void count_change(const int *coins, int coin_count, int *ways, int amount)
{
#pragma scop
    ways[0] = 1;
    for (int i = 1; i <= amount; i++)
        ways[i] = 0;
    for (int c = 0; c < coin_count; c++)
        for (int i = coins[c]; i <= amount; i++)
            ways[i] = (ways[i] + ways[i - coins[c]]) % 1000007;
#pragma endscop
}

int longest_rising(const int *v, int *len, int n)
{
    int best = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        len[i] = 1;
        for (int j = 0; j < i; j++)
            if (v[j] < v[i] && len[j] + 1 > len[i])
                len[i] = len[j] + 1;
        if (len[i] > best)
            best = len[i];
    }
#pragma endscop
    return best;
}

int matrix_chain(const int *dims, int n, int *cost)
{
#pragma scop
    for (int i = 0; i < n; i++)
        cost[i * n + i] = 0;
    for (int len = 2; len <= n; len++) {
        for (int i = 0; i + len <= n; i++) {
            int j = i + len - 1;
            int best = INT_MAX;
            for (int k = i; k < j; k++) {
                int c = cost[i * n + k] + cost[(k + 1) * n + j]
                      + dims[i] * dims[k + 1] * dims[j + 1];
                if (c < best)
                    best = c;
            }
            cost[i * n + j] = best;
        }
    }
#pragma endscop
    return n > 0 ? cost[n - 1] : 0;
}

/* The best price of a rod of each length, and where to cut first. */
void cut_rod(const int *price, int *best, int *first, int n)
{
    best[0] = 0;
#pragma scop
    for (int len = 1; len <= n; len++) {
        int q = -1;
        for (int cut = 1; cut <= len; cut++) {
            int p = price[cut - 1] + best[len - cut];
            if (p > q) {
                q = p;
                first[len] = cut;
            }
        }
        best[len] = q;
    }
#pragma endscop
}

int main(void)
{
    static const int coins[] = {1, 2, 5, 10, 25};
    DATA_EACH(n) {
        int *ways = data_ints(n + 1, 3);
        count_change(coins, 5, ways, n);
        data_show("change", n, ways, (n + 1) * sizeof *ways);
        int *v = data_ints(n, 50), *len = data_ints(n, 2);
        int best = longest_rising(v, len, n);
        data_show("rising", best, len, n * sizeof *len);
        int m = n > 40 ? 40 : n;
        int *dims = data_ints(m + 1, 9), *cost = data_ints(m * m, 2);
        for (int i = 0; i <= m; i++)
            dims[i]++;
        best = matrix_chain(dims, m, cost);
        data_show("chain", best, cost, m * m * sizeof *cost);
        int *first = data_ints(n + 1, 2);
        cut_rod(v, ways, first, n);
        data_show("rod", ways[n], first, (n + 1) * sizeof *first);
    }
}
