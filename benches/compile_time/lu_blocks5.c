#include "numbers.h"
void lu5(double a[][5][5], double b[][5], int n)
{
#pragma scop
    for (int m = 0; m < n; m++) {
        for (int k = 0; k < 5; k++) {
            for (int i = k + 1; i < 5; i++) {
                a[m][i][k] /= a[m][k][k];
                for (int j = k + 1; j < 5; j++)
                    a[m][i][j] -= a[m][i][k] * a[m][k][j];
            }
        }
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < i; j++)
                b[m][i] -= a[m][i][j] * b[m][j];
        for (int i = 4; i >= 0; i--) {
            for (int j = i + 1; j < 5; j++)
                b[m][i] -= a[m][i][j] * b[m][j];
            b[m][i] /= a[m][i][i];
        }
    }
#pragma endscop
}
static double a[7][5][5], b[7][5];
int main(void)
{
    fill_doubles(&a[0][0][0], 175); fill_doubles(&b[0][0], 35);
    for (int m = 0; m < 7; m++) for (int i = 0; i < 5; i++) a[m][i][i] += 10;
    lu5(a, b, 7);
    show("b", b, sizeof b);
}
