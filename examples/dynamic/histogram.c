/* How often each of `bins` values occurs in the used part of each row. */
#include "rows.h"

void histogram_init(int n, int m, int bins, int shape, int used[restrict n],
                    unsigned char cell[restrict n][m], int count[restrict bins])
{
    for (int i = 0; i < n; i++) {
        int own = row_begin(i + 1, n, n * m / 2, shape) - row_begin(i, n, n * m / 2, shape);
        used[i] = own < m ? own : m;
        for (int j = 0; j < m; j++)
            cell[i][j] = (unsigned char)spread(i * m + j, bins < 256 ? bins : 256);
    }
    for (int b = 0; b < bins; b++)
        count[b] = 0;
}

void histogram(int n, int m, int bins, int shape, int used[restrict n],
               unsigned char cell[restrict n][m], int count[restrict bins])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < used[i]; j++)
            count[cell[i][j]] += 1;
#pragma endscop
}
