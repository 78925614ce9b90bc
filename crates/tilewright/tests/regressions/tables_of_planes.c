// arguments: 37 45 double:1665 float:37 int:1665 float:42
// choices: tile-sizes=8,16 vectorise
void kernel(int R, int C, double out[restrict R][C], const float w[restrict R], const int img[restrict R][C], const float in[restrict R / 8 + 2][C / 8 + 2])
{
    double (*restrict cells)[R / 8 + 2][C / 8 + 2][6] = malloc(sizeof(double[2][R / 8 + 2][C / 8 + 2][6]));
    double (*restrict plane)[R][C] = malloc(sizeof(double[2][R][C]));
#pragma scop
    for (int p = 0; p < 2; p++)
        for (int y = 0; y < R / 8 + 2; y++)
            for (int x = 0; x < C / 8 + 2; x++)
                for (int k = 0; k < 6; k++)
                    cells[p][y][x][k] = in[y][x] * (k + 1) + p;
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++) {
                int low = img[i][j] & 3;
                float down = (i % 8) / 8.0;
                double right = w[i] * (j % 8);
                plane[p][i][j] = (cells[p][i / 8][j / 8][low] * down - w[i] / cells[p][i / 8 + 1][j / 8][low]) * right
                               + (cells[p][i / 8][j / 8 + 1][low + 2] * down - w[i] / cells[p][i / 8 + 1][j / 8 + 1][low + 2]);
            }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            out[i][j] = plane[1][i][j] > 2 ? plane[0][i][j] / plane[1][i][j] : w[i];
#pragma endscop
    free(plane);
    free(cells);
}
