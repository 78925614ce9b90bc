/* RNA folding by Nussinov's dynamic programme: table[i][j] is the largest number
 * of base pairs in a folding of seq[i..j] without crossings. Bases are numbered
 * 0 to 3 such that two of them pair if their numbers sum to 3. The best of
 *
 *   leaving base j unpaired                  table[i][j-1]
 *   leaving base i unpaired                  table[i+1][j]
 *   pairing i with j, if they may pair and
 *   are not neighbours                       table[i+1][j-1] + 1
 *   splitting between k and k+1              table[i][k] + table[k+1][j]
 */

void nussinov_init(int n, char seq[restrict n], int table[restrict n][n])
{
    for (int i = 0; i < n; i++) {
        seq[i] = (7 * i + i / 3 + i / 11) % 4;
        for (int j = 0; j < n; j++)
            table[i][j] = 0;
    }
}

void nussinov(int n, char seq[restrict n], int table[restrict n][n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (j - 1 >= 0)
                table[i][j] = table[i][j] >= table[i][j - 1]
                                  ? table[i][j]
                                  : table[i][j - 1];
            if (i + 1 < n)
                table[i][j] = table[i][j] >= table[i + 1][j]
                                  ? table[i][j]
                                  : table[i + 1][j];
            if (j - 1 >= 0 && i + 1 < n) {
                if (i < j - 1)
                    table[i][j] = table[i][j] >= table[i + 1][j - 1]
                                                     + (seq[i] + seq[j] == 3 ? 1 : 0)
                                      ? table[i][j]
                                      : table[i + 1][j - 1]
                                            + (seq[i] + seq[j] == 3 ? 1 : 0);
                else
                    table[i][j] = table[i][j] >= table[i + 1][j - 1]
                                      ? table[i][j]
                                      : table[i + 1][j - 1];
            }
            for (int k = i + 1; k < j; k++)
                table[i][j] = table[i][j] >= table[i][k] + table[k + 1][j]
                                  ? table[i][j]
                                  : table[i][k] + table[k + 1][j];
        }
#pragma endscop
}
