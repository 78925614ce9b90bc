#include "numbers.h"
void advance(double x[5][3], double v[5][3], const double m[5], double dt, int steps)
{
#pragma scop
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < 5; i++)
            for (int j = i + 1; j < 5; j++) {
                double dx = x[i][0] - x[j][0], dy = x[i][1] - x[j][1], dz = x[i][2] - x[j][2];
                double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                double mag = dt / (d2 * sqrt(d2));
                v[i][0] -= dx * m[j] * mag;
                v[i][1] -= dy * m[j] * mag;
                v[i][2] -= dz * m[j] * mag;
                v[j][0] += dx * m[i] * mag;
                v[j][1] += dy * m[i] * mag;
                v[j][2] += dz * m[i] * mag;
            }
        for (int i = 0; i < 5; i++) {
            x[i][0] += dt * v[i][0];
            x[i][1] += dt * v[i][1];
            x[i][2] += dt * v[i][2];
        }
    }
#pragma endscop
}
int main(void)
{
    double x[5][3], v[5][3], m[5];
    fill_doubles(&x[0][0], 15); fill_doubles(&v[0][0], 15); fill_doubles(m, 5);
    advance(x, v, m, 0.01, 6);
    show("x", x, sizeof x);
}
