#include "numbers.h"
void life(unsigned char cur[8][8], unsigned char next[8][8], int turns)
{
#pragma scop
    for (int t = 0; t < turns; t++) {
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) {
                int n = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        if (di != 0 || dj != 0)
                            n += cur[(i + di + 8) % 8][(j + dj + 8) % 8];
                next[i][j] = n == 3 || (n == 2 && cur[i][j]);
            }
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                cur[i][j] = next[i][j];
    }
#pragma endscop
}
int main(void)
{
    unsigned char a[8][8], b[8][8];
    for (int i = 0; i < 64; i++) a[i / 8][i % 8] = next_word() % 2;
    life(a, b, 5);
    show("life", a, sizeof a);
}
