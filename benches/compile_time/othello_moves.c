#include "numbers.h"
int score(const signed char board[8][8], int me)
{
    int total = 0;
#pragma scop
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            int w = 1;
            if ((y == 0 || y == 7) && (x == 0 || x == 7)) w = 100;
            else if ((y <= 1 || y >= 6) && (x <= 1 || x >= 6)) w = -20;
            else if (y == 0 || y == 7 || x == 0 || x == 7) w = 10;
            if (board[y][x] == me) total += w;
            else if (board[y][x] == -me) total -= w;
        }
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 6; x++)
            if (board[y][x] == me && board[y][x + 1] == me && board[y][x + 2] == me) total += 3;
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 6; x++)
            if (board[y][x] == me && board[y + 1][x + 1] == me && board[y + 2][x + 2] == me) total += 3;
#pragma endscop
    return total;
}
int main(void)
{
    signed char b[8][8];
    for (int i = 0; i < 64; i++) b[i / 8][i % 8] = (signed char)(next_word() % 3) - 1;
    printf("%d %d\n", score(b, 1), score(b, -1));
}
