/* How often each of `n` coins is the largest one that an amount up to its bound
 * can be paid with first, after Zhao, thesis 2018, section 6.1: for coin i all
 * amounts below its value count. The coin's value bounds the inner loop. */
#include "rows.h"

void denominations_init(int n, int most, int coin[restrict n], int price[restrict most],
                        int count[restrict n])
{
    for (int i = 0; i < n; i++) {
        coin[i] = spread(i, most + 1);
        count[i] = 0;
    }
    for (int w = 0; w < most; w++)
        price[w] = spread(w + 99, 2 * most);
}

void denominations(int n, int most, int coin[restrict n], int price[restrict most],
                   int count[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int worth = coin[i];
        for (int w = 0; w < worth; w++)
            if (price[w] >= worth)
                count[i] += 1;
    }
#pragma endscop
}
