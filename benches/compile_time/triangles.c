#include "numbers.h"
void cholesky8(double a[8][8], double b[8], double y[8])
{
#pragma scop
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrt(a[i][i]);
    }
    for (int i = 0; i < 8; i++) {
        y[i] = b[i];
        for (int j = 0; j < i; j++)
            y[i] -= a[i][j] * y[j];
        y[i] /= a[i][i];
    }
    for (int i = 7; i >= 0; i--) {
        for (int j = i + 1; j < 8; j++)
            y[i] -= a[j][i] * y[j];
        y[i] /= a[i][i];
    }
#pragma endscop
}
int main(void)
{
    double a[8][8], b[8], y[8];
    fill_doubles(&a[0][0], 64); fill_doubles(b, 8);
    for (int i = 0; i < 8; i++) a[i][i] += 20;
    cholesky8(a, b, y);
    show("y", y, sizeof y);
}
