/* The arrays of the shallow-water benchmark, with periodic borders. */
#include "numbers.h"
void swm(int m, int n, double u[m + 1][n + 1], double v[m + 1][n + 1], double p[m + 1][n + 1], double cu[m + 1][n + 1],
         double cv[m + 1][n + 1], double z[m + 1][n + 1], double h[m + 1][n + 1], double un[m + 1][n + 1],
         double vn[m + 1][n + 1], double pn[m + 1][n + 1], double uo[m + 1][n + 1], double vo[m + 1][n + 1],
         double po[m + 1][n + 1], double fsdx, double fsdy, double tdts8, double tdtsdx, double tdtsdy, double alpha)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            cu[i + 1][j] = .5 * (p[i + 1][j] + p[i][j]) * u[i + 1][j];
            cv[i][j + 1] = .5 * (p[i][j + 1] + p[i][j]) * v[i][j + 1];
            z[i + 1][j + 1] = (fsdx * (v[i + 1][j + 1] - v[i][j + 1]) - fsdy * (u[i + 1][j + 1] - u[i + 1][j])) / (p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1]);
            h[i][j] = p[i][j] + .25 * (u[i + 1][j] * u[i + 1][j] + u[i][j] * u[i][j] + v[i][j + 1] * v[i][j + 1] + v[i][j] * v[i][j]);
        }
    for (int j = 0; j < n; j++) {
        cu[0][j] = cu[m][j];
        cv[m][j + 1] = cv[0][j + 1];
        z[0][j + 1] = z[m][j + 1];
        h[m][j] = h[0][j];
    }
    for (int i = 0; i < m; i++) {
        cu[i + 1][n] = cu[i + 1][0];
        cv[i][0] = cv[i][n];
        z[i + 1][0] = z[i + 1][n];
        h[i][n] = h[i][0];
    }
    cu[0][n] = cu[m][0];
    cv[m][0] = cv[0][n];
    z[0][0] = z[m][n];
    h[m][n] = h[0][0];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            un[i + 1][j] = uo[i + 1][j] + tdts8 * (z[i + 1][j + 1] + z[i + 1][j]) * (cv[i + 1][j + 1] + cv[i][j + 1] + cv[i][j] + cv[i + 1][j]) - tdtsdx * (h[i + 1][j] - h[i][j]);
            vn[i][j + 1] = vo[i][j + 1] - tdts8 * (z[i + 1][j + 1] + z[i][j + 1]) * (cu[i + 1][j + 1] + cu[i][j + 1] + cu[i][j] + cu[i + 1][j]) - tdtsdy * (h[i][j + 1] - h[i][j]);
            pn[i][j] = po[i][j] - tdtsdx * (cu[i + 1][j] - cu[i][j]) - tdtsdy * (cv[i][j + 1] - cv[i][j]);
        }
    for (int j = 0; j < n; j++) {
        un[0][j] = un[m][j];
        vn[m][j + 1] = vn[0][j + 1];
        pn[m][j] = pn[0][j];
    }
    for (int i = 0; i < m; i++) {
        un[i + 1][n] = un[i + 1][0];
        vn[i][0] = vn[i][n];
        pn[i][n] = pn[i][0];
    }
    un[0][n] = un[m][0];
    vn[m][0] = vn[0][n];
    pn[m][n] = pn[0][0];
    for (int i = 0; i <= m; i++)
        for (int j = 0; j <= n; j++) {
            uo[i][j] = u[i][j] + alpha * (un[i][j] - 2 * u[i][j] + uo[i][j]);
            vo[i][j] = v[i][j] + alpha * (vn[i][j] - 2 * v[i][j] + vo[i][j]);
            po[i][j] = p[i][j] + alpha * (pn[i][j] - 2 * p[i][j] + po[i][j]);
            u[i][j] = un[i][j];
            v[i][j] = vn[i][j];
            p[i][j] = pn[i][j];
        }
#pragma endscop
}
static double a[13][13][11];
int main(void)
{
    fill_doubles(&a[0][0][0], sizeof a / 8);
    swm(12, 10, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], .1, .2, .3, .4, .5, .6);
    show("all", a, sizeof a);
}
