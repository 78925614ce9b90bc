/* Relaxation with a mask, red and black cells by turns. */
#include "data.h"

void relax(int steps, int n, double u[restrict n][n], const unsigned char fixed[restrict n][n])
{
#pragma scop
    for (int s = 0; s < steps; s++)
        for (int colour = 0; colour < 2; colour++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < n - 1; j++)
                    if ((i + j) % 2 == colour && !fixed[i][j])
                        u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        double *u = data_doubles(n * n);
        unsigned char *fixed = data_bytes(n * n);
        for (int i = 0; i < n * n; i++)
            fixed[i] = fixed[i] % 7 == 0;
        relax(5, n, (void *)u, (void *)fixed);
        data_show("relax", n, u, 8 * n * n);
    }
}
