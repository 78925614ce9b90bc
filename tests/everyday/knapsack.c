/* The best value for every capacity. */
#include "data.h"

void knapsack(int items, int cap, const int *weight, const int *value, int *best)
{
#pragma scop
    for (int c = 0; c <= cap; c++)
        best[c] = 0;
    for (int i = 0; i < items; i++)
        for (int c = cap; c >= weight[i]; c--) {
            int with = best[c - weight[i]] + value[i];
            if (with > best[c])
                best[c] = with;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int *weight = data_ints(n, 9), *value = data_ints(n, 50), *best = data_ints(3 * n + 1, 2);
        knapsack(n, 3 * n, weight, value, best);
        data_show("knapsack", n, best, 4 * (3 * n + 1));
    }
}
