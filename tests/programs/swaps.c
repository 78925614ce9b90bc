#include <stdio.h>
#include <stdlib.h>

static void swaps(int n, int a[restrict n], int b[restrict n], double c[restrict n][n])
{
#pragma scop
    for (int i = 0; i < n / 2; i++) {
        int t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
    for (int i = 0; i < n; i++) {
        int t = a[i];
        int u = b[i];
        a[i] = u;
        b[i] = t;
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = c[i][j];
            c[i][j] = c[j][i];
            c[j][i] = t;
        }
#pragma endscop
}

int main(void)
{
    static int a[31], b[31];
    static double c[31][31];
    for (int i = 0; i < 31; i++) {
        a[i] = i;
        b[i] = 100 + i;
    }
    for (int i = 0; i < 961; i++)
        c[i / 31][i % 31] = i;
    swaps(31, a, b, c);
    for (int i = 0; i < 31; i++)
        printf("%d %d ", a[i], b[i]);
    for (int i = 0; i < 961; i++)
        printf("%g ", c[i / 31][i % 31]);
}
