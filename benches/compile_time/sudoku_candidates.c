#include "numbers.h"
void candidates(unsigned short c[9][9], const unsigned char g[9][9])
{
    unsigned short row[9], col[9], box[9];
#pragma scop
    for (int i = 0; i < 9; i++) {
        row[i] = 0;
        col[i] = 0;
        box[i] = 0;
    }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            row[i] |= 1 << g[i][j];
            col[j] |= 1 << g[i][j];
            box[i / 3 * 3 + j / 3] |= 1 << g[i][j];
        }
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            c[i][j] = g[i][j] ? 0 : 0x3fe & ~(row[i] | col[j] | box[i / 3 * 3 + j / 3]);
#pragma endscop
}
int main(void)
{
    unsigned char g[9][9];
    unsigned short c[9][9];
    for (int i = 0; i < 81; i++) g[i / 9][i % 9] = next_word() % 4 ? 0 : next_word() % 10;
    candidates(c, g);
    show("c", c, sizeof c);
}
