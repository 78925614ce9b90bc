/* Steps of a finite-volume scheme for the Euler equations in two dimensions. */
#include "numbers.h"
#define NX 40
#define NY 30
static double rho[NX][NY], mx[NX][NY], my[NX][NY], en[NX][NY];
static double p[NX][NY], u[NX][NY], v[NX][NY], c[NX][NY];
static double fr[NX][NY], fx[NX][NY], fy[NX][NY], fe[NX][NY];
static double gr[NX][NY], gx[NX][NY], gy[NX][NY], ge[NX][NY];
void step(double dt, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY; j++) {
            u[i][j] = mx[i][j] / rho[i][j];
            v[i][j] = my[i][j] / rho[i][j];
            p[i][j] = 0.4 * (en[i][j] - 0.5 * rho[i][j] * (u[i][j] * u[i][j] + v[i][j] * v[i][j]));
            c[i][j] = sqrt(1.4 * fabs(p[i][j]) / rho[i][j]);
        }
    for (int i = 0; i < NX - 1; i++)
        for (int j = 0; j < NY; j++) {
            double s = fmax(fabs(u[i][j]) + c[i][j], fabs(u[i + 1][j]) + c[i + 1][j]);
            fr[i][j] = 0.5 * (mx[i][j] + mx[i + 1][j]) - 0.5 * s * (rho[i + 1][j] - rho[i][j]);
            fx[i][j] = 0.5 * (mx[i][j] * u[i][j] + p[i][j] + mx[i + 1][j] * u[i + 1][j] + p[i + 1][j]) - 0.5 * s * (mx[i + 1][j] - mx[i][j]);
            fy[i][j] = 0.5 * (my[i][j] * u[i][j] + my[i + 1][j] * u[i + 1][j]) - 0.5 * s * (my[i + 1][j] - my[i][j]);
            fe[i][j] = 0.5 * ((en[i][j] + p[i][j]) * u[i][j] + (en[i + 1][j] + p[i + 1][j]) * u[i + 1][j]) - 0.5 * s * (en[i + 1][j] - en[i][j]);
        }
    for (int i = 0; i < NX; i++)
        for (int j = 0; j < NY - 1; j++) {
            double s = fmax(fabs(v[i][j]) + c[i][j], fabs(v[i][j + 1]) + c[i][j + 1]);
            gr[i][j] = 0.5 * (my[i][j] + my[i][j + 1]) - 0.5 * s * (rho[i][j + 1] - rho[i][j]);
            gx[i][j] = 0.5 * (mx[i][j] * v[i][j] + mx[i][j + 1] * v[i][j + 1]) - 0.5 * s * (mx[i][j + 1] - mx[i][j]);
            gy[i][j] = 0.5 * (my[i][j] * v[i][j] + p[i][j] + my[i][j + 1] * v[i][j + 1] + p[i][j + 1]) - 0.5 * s * (my[i][j + 1] - my[i][j]);
            ge[i][j] = 0.5 * ((en[i][j] + p[i][j]) * v[i][j] + (en[i][j + 1] + p[i][j + 1]) * v[i][j + 1]) - 0.5 * s * (en[i][j + 1] - en[i][j]);
        }
    for (int i = 1; i < NX - 1; i++)
        for (int j = 1; j < NY - 1; j++) {
            rho[i][j] -= dt * (fr[i][j] - fr[i - 1][j] + gr[i][j] - gr[i][j - 1]);
            mx[i][j] -= dt * (fx[i][j] - fx[i - 1][j] + gx[i][j] - gx[i][j - 1]);
            my[i][j] -= dt * (fy[i][j] - fy[i - 1][j] + gy[i][j] - gy[i][j - 1]);
            en[i][j] -= dt * (fe[i][j] - fe[i - 1][j] + ge[i][j] - ge[i][j - 1]);
        }
    for (int j = 0; j < NY; j++) {
        rho[0][j] = rho[1][j]; mx[0][j] = -mx[1][j]; my[0][j] = my[1][j]; en[0][j] = en[1][j];
        rho[NX - 1][j] = rho[NX - 2][j]; mx[NX - 1][j] = -mx[NX - 2][j];
        my[NX - 1][j] = my[NX - 2][j]; en[NX - 1][j] = en[NX - 2][j];
    }
    for (int i = 0; i < NX; i++) {
        rho[i][0] = rho[i][1]; mx[i][0] = mx[i][1]; my[i][0] = -my[i][1]; en[i][0] = en[i][1];
        rho[i][NY - 1] = rho[i][NY - 2]; mx[i][NY - 1] = mx[i][NY - 2];
        my[i][NY - 1] = -my[i][NY - 2]; en[i][NY - 1] = en[i][NY - 2];
    }
    }
#pragma endscop
}
int main(void)
{
    fill_doubles(&rho[0][0], NX * NY); fill_doubles(&mx[0][0], NX * NY);
    fill_doubles(&my[0][0], NX * NY); fill_doubles(&en[0][0], NX * NY);
    step(0.01, 3);
    show("rho", rho, sizeof rho);
    show("en", en, sizeof en);
}
