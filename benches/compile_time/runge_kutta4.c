#include "numbers.h"
void step(int n, int steps, double h, double *restrict x, double *restrict v, double *restrict kx1, double *restrict kv1,
          double *restrict kx2, double *restrict kv2, double *restrict kx3, double *restrict kv3, double *restrict kx4,
          double *restrict kv4, double *restrict tx, double *restrict tv)
{
#pragma scop
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < n - 1; i++) { kx1[i] = v[i]; kv1[i] = x[i - 1] - 2 * x[i] + x[i + 1]; }
        for (int i = 0; i < n; i++) { tx[i] = x[i] + h / 2 * kx1[i]; tv[i] = v[i] + h / 2 * kv1[i]; }
        for (int i = 1; i < n - 1; i++) { kx2[i] = tv[i]; kv2[i] = tx[i - 1] - 2 * tx[i] + tx[i + 1]; }
        for (int i = 0; i < n; i++) { tx[i] = x[i] + h / 2 * kx2[i]; tv[i] = v[i] + h / 2 * kv2[i]; }
        for (int i = 1; i < n - 1; i++) { kx3[i] = tv[i]; kv3[i] = tx[i - 1] - 2 * tx[i] + tx[i + 1]; }
        for (int i = 0; i < n; i++) { tx[i] = x[i] + h * kx3[i]; tv[i] = v[i] + h * kv3[i]; }
        for (int i = 1; i < n - 1; i++) { kx4[i] = tv[i]; kv4[i] = tx[i - 1] - 2 * tx[i] + tx[i + 1]; }
        for (int i = 0; i < n; i++) {
            x[i] += h / 6 * (kx1[i] + 2 * kx2[i] + 2 * kx3[i] + kx4[i]);
            v[i] += h / 6 * (kv1[i] + 2 * kv2[i] + 2 * kv3[i] + kv4[i]);
        }
    }
#pragma endscop
}
static double m[12][40];
int main(void)
{
    fill_doubles(&m[0][0], 80);
    step(40, 3, 0.01, m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]);
    show("x", m, sizeof m);
}
