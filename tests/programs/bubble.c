#include <stdio.h>
#include <stdlib.h>

static void bubble(int n, int rows, int a[restrict rows][n])
{
#pragma scop
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1 - i; j++) {
                int x = a[r][j];
                int y = a[r][j + 1];
                int lo = x < y ? x : y;
                int hi = x + y - lo;
                a[r][j] = lo;
                a[r][j + 1] = hi;
            }
#pragma endscop
}

int main(void)
{
    static int a[5][15];
    for (int i = 0; i < 75; i++)
        a[i / 15][i % 15] = i * 53 % 97;
    bubble(15, 5, a);
    for (int i = 0; i < 75; i++)
        printf("%d ", a[i / 15][i % 15]);
}
