/* In how many ways an amount can be paid, and with how many coins at least,
 * for each amount up to `most` and coins of several values: coin c adds to
 * what is left without it. Every coin's value bounds a loop. */

void change_making_init(int most, int coins, int coin[restrict coins],
                        int ways[restrict most + 1], int least[restrict most + 1])
{
    for (int c = 0; c < coins; c++)
        coin[c] = 1 + c * c % 23;
    for (int w = 0; w <= most; w++) {
        ways[w] = w == 0;
        least[w] = w == 0 ? 0 : most + 1;
    }
}

void change_making(int most, int coins, int coin[restrict coins], int ways[restrict most + 1],
                   int least[restrict most + 1])
{
#pragma scop
    for (int c = 0; c < coins; c++) {
        for (int w = coin[c]; w <= most; w++)
            ways[w] = (ways[w] + ways[w - coin[c]]) % 1000003;
        for (int w = coin[c]; w <= most; w++)
            if (least[w - coin[c]] + 1 < least[w])
                least[w] = least[w - coin[c]] + 1;
    }
#pragma endscop
}
