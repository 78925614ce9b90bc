// Devices are asked for whole regions.
#include <stdio.h>
#define ROWS(i, n) for (int i = 1; i < (n) - 1; i++)
int relax(int n, int steps, double a[restrict n][n], double b[restrict n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        printf("%d\n", t); /* each step */
        if (steps > 100)
            ROWS(i, n)
                for (int j = 1; j < n - 1; j++) a[i][j] = b[i][j]; // back
        else return t;
    }
#pragma endscop
    return steps;
}
// compile: --target cuda
// left: TW0201
