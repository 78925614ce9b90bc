/* Waves on a string and a membrane, and heat in a plate. */
#include "data.h"

/* Three buffers that change places; returns the newest. */
float *wave_string(float *prev, float *cur, float *next, int n, int steps, float c2)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 2 * cur[i] - prev[i] + c2 * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
        if (n > 0) {
            next[0] = 0;
            next[n - 1] = 0;
        }
        float *old = prev;
        prev = cur;
        cur = next;
        next = old;
    }
#pragma endscop
    return cur;
}

#define GRID 24

void membrane(double h[3][GRID][GRID], int steps, double damping)
{
#pragma scop
    for (int t = 2; t < steps + 2; t++) {
        int a = t % 3, b = (t + 2) % 3, c = (t + 1) % 3;
        for (int y = 1; y < GRID - 1; y++) {
            for (int x = 1; x < GRID - 1; x++) {
                double lap = h[b][y - 1][x] + h[b][y + 1][x] + h[b][y][x - 1] + h[b][y][x + 1]
                           - 4 * h[b][y][x];
                h[a][y][x] = (2 * h[b][y][x] - h[c][y][x] + 0.2 * lap) * damping;
            }
        }
    }
#pragma endscop
}

/* Returns the number of sweeps that the plate needed to become steady. */
int heat_plate(double **t, double **s, int h, int w, double tolerance, int limit)
{
    int sweeps = 0;
    double worst;
#pragma scop
    do {
        worst = 0;
        for (int y = 1; y < h - 1; y++)
            for (int x = 1; x < w - 1; x++)
                s[y][x] = 0.25 * (t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1]);
        for (int y = 1; y < h - 1; y++) {
            for (int x = 1; x < w - 1; x++) {
                double change = s[y][x] - t[y][x];
                if (change < 0)
                    change = -change;
                if (change > worst)
                    worst = change;
                t[y][x] = s[y][x];
            }
        }
        sweeps++;
    } while (worst > tolerance && sweeps < limit);
#pragma endscop
    return sweeps;
}

int main(void)
{
    static double membranes[3][GRID][GRID];
    membranes[0][5][5] = membranes[1][6][6] = 1;
    DATA_EACH(n) {
        float *a = data_floats(n), *b = data_floats(n), *c = data_floats(n);
        float *d = wave_string(a, b, c, n, n / 2 + 1, 0.3f);
        data_show("string", n, d, n * sizeof *d);
        membrane(membranes, n / 4, 0.999);
        data_show("membrane", n, membranes, sizeof membranes);
        int h = n / 2 + 1, w = n / 3 + 2;
        double **t = malloc(h * sizeof *t), **s = malloc(h * sizeof *s);
        for (int y = 0; y < h; y++) {
            t[y] = data_doubles(w);
            s[y] = data_doubles(w);
        }
        int sweeps = heat_plate(t, s, h, w, 0.01, 50);
        data_show("plate", sweeps, t[h / 2], w * sizeof **t);
    }
}
