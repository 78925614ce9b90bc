/* A small fluid solver on a square grid with one cell of border. */
#include "data.h"

#define IX(x, y) ((x) + (y) * (size + 2))

static void set_border(int size, int kind, float *f)
{
    for (int i = 1; i <= size; i++) {
        f[IX(0, i)] = kind == 1 ? -f[IX(1, i)] : f[IX(1, i)];
        f[IX(size + 1, i)] = kind == 1 ? -f[IX(size, i)] : f[IX(size, i)];
        f[IX(i, 0)] = kind == 2 ? -f[IX(i, 1)] : f[IX(i, 1)];
        f[IX(i, size + 1)] = kind == 2 ? -f[IX(i, size)] : f[IX(i, size)];
    }
    f[IX(0, 0)] = 0.5f * (f[IX(1, 0)] + f[IX(0, 1)]);
    f[IX(size + 1, size + 1)] = 0.5f * (f[IX(size, size + 1)] + f[IX(size + 1, size)]);
}

void diffuse(int size, int kind, float *f, const float *f0, float amount)
{
#pragma scop
    for (int k = 0; k < 10; k++) {
        for (int y = 1; y <= size; y++)
            for (int x = 1; x <= size; x++)
                f[IX(x, y)] = (f0[IX(x, y)] + amount * (f[IX(x - 1, y)] + f[IX(x + 1, y)]
                               + f[IX(x, y - 1)] + f[IX(x, y + 1)])) / (1 + 4 * amount);
        set_border(size, kind, f);
    }
#pragma endscop
}

void advect(int size, float *d, const float *d0, const float *u, const float *v, float dt)
{
    float dt0 = dt * (float)size;
#pragma scop
    for (int y = 1; y <= size; y++) {
        for (int x = 1; x <= size; x++) {
            float px = (float)x - dt0 * u[IX(x, y)];
            float py = (float)y - dt0 * v[IX(x, y)];
            if (px < 0.5f) px = 0.5f;
            if (px > (float)size + 0.5f) px = (float)size + 0.5f;
            if (py < 0.5f) py = 0.5f;
            if (py > (float)size + 0.5f) py = (float)size + 0.5f;
            int x0 = (int)px, y0 = (int)py;
            float s1 = px - (float)x0, s0 = 1 - s1;
            float t1 = py - (float)y0, t0 = 1 - t1;
            d[IX(x, y)] = s0 * (t0 * d0[IX(x0, y0)] + t1 * d0[IX(x0, y0 + 1)])
                        + s1 * (t0 * d0[IX(x0 + 1, y0)] + t1 * d0[IX(x0 + 1, y0 + 1)]);
        }
    }
#pragma endscop
}

void project(int size, float *u, float *v, float *p, float *div)
{
    float h = 1.0f / (float)(size + 1);
#pragma scop
    for (int y = 1; y <= size; y++) {
        for (int x = 1; x <= size; x++) {
            div[IX(x, y)] = -0.5f * h * (u[IX(x + 1, y)] - u[IX(x - 1, y)]
                                         + v[IX(x, y + 1)] - v[IX(x, y - 1)]);
            p[IX(x, y)] = 0;
        }
    }
    for (int k = 0; k < 8; k++)
        for (int y = 1; y <= size; y++)
            for (int x = 1; x <= size; x++)
                p[IX(x, y)] = (div[IX(x, y)] + p[IX(x - 1, y)] + p[IX(x + 1, y)]
                               + p[IX(x, y - 1)] + p[IX(x, y + 1)]) / 4;
    for (int y = 1; y <= size; y++) {
        for (int x = 1; x <= size; x++) {
            u[IX(x, y)] -= 0.5f * (p[IX(x + 1, y)] - p[IX(x - 1, y)]) / h;
            v[IX(x, y)] -= 0.5f * (p[IX(x, y + 1)] - p[IX(x, y - 1)]) / h;
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(m) {
        int n = m > 40 ? 40 : m;
        int cells = (n + 2) * (n + 2);
        float *u = data_floats(cells), *v = data_floats(cells), *d = data_floats(cells);
        float *d0 = data_floats(cells), *p = data_floats(cells);
        diffuse(n, m % 3, d, d0, 0.2f);
        data_show("diffuse", m, d, cells * sizeof *d);
        advect(n, d0, d, u, v, 0.1f);
        data_show("advect", m, d0, cells * sizeof *d);
        project(n, u, v, p, d);
        data_show("project u", m, u, cells * sizeof *d);
        data_show("project v", m, v, cells * sizeof *d);
    }
}
