#include "numbers.h"
void kalman(double x[4], double p[4][4], double f[4][4], double q[4][4], const double *z, int n)
{
#pragma scop
    for (int t = 0; t < n; t++) {
        double y[4], a[4][4], b[4][4], k[4];
        for (int i = 0; i < 4; i++) {
            y[i] = 0;
            for (int j = 0; j < 4; j++) y[i] += f[i][j] * x[j];
        }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                a[i][j] = 0;
                for (int l = 0; l < 4; l++) a[i][j] += f[i][l] * p[l][j];
            }
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                b[i][j] = q[i][j];
                for (int l = 0; l < 4; l++) b[i][j] += a[i][l] * f[j][l];
            }
        double s = b[0][0] + 0.1;
        double r = z[t] - y[0];
        for (int i = 0; i < 4; i++) k[i] = b[i][0] / s;
        for (int i = 0; i < 4; i++) x[i] = y[i] + k[i] * r;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) p[i][j] = b[i][j] - k[i] * b[0][j];
    }
#pragma endscop
}
int main(void)
{
    double x[4], p[4][4], f[4][4], q[4][4], z[9];
    fill_doubles(x, 4); fill_doubles(&p[0][0], 16); fill_doubles(&f[0][0], 16); fill_doubles(&q[0][0], 16); fill_doubles(z, 9);
    kalman(x, p, f, q, z, 9);
    show("x", x, sizeof x);
}
