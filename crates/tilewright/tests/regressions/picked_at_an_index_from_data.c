// arguments: 21 37 int:777 int:897
// choices: tile-sizes=8,16 inline=2,1 vectorise
void kernel(int R, int C, int out[restrict R][C], const int img[restrict R + 2][C + 2])
{
    int (*restrict level)[R + 2][C + 2] = malloc(sizeof(int[8][R + 2][C + 2]));
    int (*restrict half)[R + 2][C + 2] = malloc(sizeof(int[8][R + 2][C + 2]));
    int (*restrict detail)[R + 2][C + 2] = malloc(sizeof(int[8][R + 2][C + 2]));
#pragma scop
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < R + 2; i++)
            for (int j = 0; j < C + 2; j++)
                level[k][i][j] = (img[i][j] - k * 5) * 3;
    for (int k = 0; k < 8; k++)
        for (int i = 1; i < R + 1; i++)
            for (int j = 0; j < C + 2; j++)
                half[k][i][j] = level[k][i - 1][j] + level[k][i][j] + level[k][i + 1][j];
    for (int k = 0; k < 8; k++)
        for (int i = 1; i < R + 1; i++)
            for (int j = 1; j < C + 1; j++)
                detail[k][i][j] = level[k][i][j] - half[k][i][j - 1] / 7 + half[k][i][j + 1] / 5;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            out[i][j] = detail[img[i + 1][j + 1] & 3][i + 1][j + 1]
                      + detail[(img[i + 1][j + 1] & 3) + 4][i + 1][j + 1];
#pragma endscop
    free(detail);
    free(half);
    free(level);
}
