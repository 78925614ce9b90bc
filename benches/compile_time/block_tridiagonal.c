/* The inner routines of a block-tridiagonal solver: blocks of 5 x 5 along a line. */
#include "numbers.h"
void solve(int n, double a[n][5][5], double b[n][5][5], double c[n][5][5], double r[n][5])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        for (int p = 0; p < 5; p++)
            for (int q = 0; q < 5; q++)
                for (int s = 0; s < 5; s++)
                    b[i][p][q] -= a[i][p][s] * c[i - 1][s][q];
        for (int p = 0; p < 5; p++)
            for (int s = 0; s < 5; s++)
                r[i][p] -= a[i][p][s] * r[i - 1][s];
        for (int p = 0; p < 5; p++) {
            double piv = 1 / b[i][p][p];
            for (int q = p + 1; q < 5; q++)
                b[i][p][q] *= piv;
            for (int q = 0; q < 5; q++)
                c[i][p][q] *= piv;
            r[i][p] *= piv;
            for (int s = 0; s < 5; s++)
                if (s != p) {
                    double f = b[i][s][p];
                    for (int q = p + 1; q < 5; q++)
                        b[i][s][q] -= f * b[i][p][q];
                    for (int q = 0; q < 5; q++)
                        c[i][s][q] -= f * c[i][p][q];
                    r[i][s] -= f * r[i][p];
                }
        }
    }
    for (int i = n - 2; i >= 0; i--)
        for (int p = 0; p < 5; p++)
            for (int s = 0; s < 5; s++)
                r[i][p] -= c[i][p][s] * r[i + 1][s];
#pragma endscop
}
static double a[9][5][5], b[9][5][5], c[9][5][5], r[9][5];
int main(void)
{
    fill_doubles(&a[0][0][0], 225); fill_doubles(&b[0][0][0], 225); fill_doubles(&c[0][0][0], 225); fill_doubles(&r[0][0], 45);
    for (int m = 0; m < 9; m++) for (int i = 0; i < 5; i++) b[m][i][i] += 10;
    solve(9, a, b, c, r);
    show("r", r, sizeof r);
}
