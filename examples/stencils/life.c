/* Conway's Game of Life (Gardner, Scientific American 223, October 1970): a cell
 * lives in the next generation if three of its eight neighbours live, or if two
 * do and it lives itself. The rim does not change.
 *
 * Storage: two buffers. Generation t reads cell[t % 2] and writes
 * cell[(t + 1) % 2].
 */

void life_init(int tsteps, int n, int cell[restrict 2][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            cell[0][i][j] = (5 * i + 3 * j + i * j / 7) % 3 == 0;
            cell[1][i][j] = cell[0][i][j];
        }
}

void life(int tsteps, int n, int cell[restrict 2][n][n])
{
#pragma scop
    for (int t = 0; t < tsteps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                int neighbours = cell[t % 2][i - 1][j - 1] + cell[t % 2][i - 1][j]
                                 + cell[t % 2][i - 1][j + 1]
                                 + cell[t % 2][i][j - 1] + cell[t % 2][i][j + 1]
                                 + cell[t % 2][i + 1][j - 1]
                                 + cell[t % 2][i + 1][j]
                                 + cell[t % 2][i + 1][j + 1];
                if (neighbours == 3)
                    cell[(t + 1) % 2][i][j] = 1;
                else if (neighbours == 2)
                    cell[(t + 1) % 2][i][j] = cell[t % 2][i][j];
                else
                    cell[(t + 1) % 2][i][j] = 0;
            }
#pragma endscop
}
