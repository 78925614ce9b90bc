#include "numbers.h"
void smooth(int n, double out[n][n][n], double in[n][n][n], const double w[4])
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                out[i][j][k] = w[0] * in[i][j][k]
                    + w[1] * (in[i - 1][j][k] + in[i + 1][j][k] + in[i][j - 1][k] + in[i][j + 1][k] + in[i][j][k - 1] + in[i][j][k + 1])
                    + w[2] * (in[i - 1][j - 1][k] + in[i - 1][j + 1][k] + in[i + 1][j - 1][k] + in[i + 1][j + 1][k]
                        + in[i - 1][j][k - 1] + in[i - 1][j][k + 1] + in[i + 1][j][k - 1] + in[i + 1][j][k + 1]
                        + in[i][j - 1][k - 1] + in[i][j - 1][k + 1] + in[i][j + 1][k - 1] + in[i][j + 1][k + 1])
                    + w[3] * (in[i - 1][j - 1][k - 1] + in[i - 1][j - 1][k + 1] + in[i - 1][j + 1][k - 1] + in[i - 1][j + 1][k + 1]
                        + in[i + 1][j - 1][k - 1] + in[i + 1][j - 1][k + 1] + in[i + 1][j + 1][k - 1] + in[i + 1][j + 1][k + 1]);
#pragma endscop
}
int main(void)
{
    static double o[9][9][9], i[9][9][9], w[4];
    fill_doubles(&i[0][0][0], 729); fill_doubles(w, 4);
    smooth(9, o, i, w);
    show("smooth", o, sizeof o);
}
