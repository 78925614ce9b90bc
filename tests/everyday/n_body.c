/* Forces between all pairs of bodies, then a step of each. */
#include "data.h"
#include <math.h>

typedef struct { double x, y, vx, vy, m; } body;

void step(int n, body b[restrict n], double dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double ax = 0, ay = 0;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
            double r2 = dx * dx + dy * dy + 1e-3;
            double f = b[j].m / (r2 * sqrt(r2));
            ax += f * dx;
            ay += f * dy;
        }
        b[i].vx += ax * dt;
        b[i].vy += ay * dt;
    }
    for (int i = 0; i < n; i++) {
        b[i].x += b[i].vx * dt;
        b[i].y += b[i].vy * dt;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        body *b = (body *)data_doubles(5 * n);
        step(n, b, 0.01);
        data_show("n_body", n, b, 40 * n);
    }
}
