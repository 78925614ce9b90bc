/* Pascal's triangle modulo a prime, row by row in one array. */
#include "data.h"

void pascal(int n, unsigned row[restrict n + 1])
{
#pragma scop
    for (int i = 0; i <= n; i++) {
        row[i] = 1;
        for (int j = i - 1; j > 0; j--)
            row[j] = (row[j] + row[j - 1]) % 1000003u;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        unsigned *row = data_bytes(4 * (n + 1));
        pascal(n, row);
        data_show("pascal", n, row, 4 * (n + 1));
    }
}
