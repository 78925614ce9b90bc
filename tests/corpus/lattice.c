/* A lattice gas in two dimensions (D2Q9), cells as structures. */
#include "data.h"

#define NX 26
#define NY 18

typedef struct {
    double f[9];
    unsigned char wall;
} cell;

typedef struct {
    double rho, ux, uy;
} flow;

static const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const double weight[9] = {4.0 / 9,  1.0 / 9,  1.0 / 9,  1.0 / 9, 1.0 / 9,
                                 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};

static double balance(int k, double rho, double ux, double uy)
{
    double eu = ex[k] * ux + ey[k] * uy;
    return weight[k] * rho * (1 + 3 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
}

void measure(const cell *grid, flow *out, int nx, int ny)
{
#pragma scop
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const cell *c = &grid[y * nx + x];
            double rho = 0, mx = 0, my = 0;
            for (int k = 0; k < 9; k++) {
                rho += c->f[k];
                mx += ex[k] * c->f[k];
                my += ey[k] * c->f[k];
            }
            out[y * nx + x] = (flow){rho, mx / rho, my / rho};
        }
#pragma endscop
}

void collide(cell *grid, const flow *now, int nx, int ny, double omega)
{
#pragma scop
    for (int i = 0; i < nx * ny; i++) {
        if (grid[i].wall)
            continue;
        for (int k = 0; k < 9; k++) {
            double eq = balance(k, now[i].rho, now[i].ux, now[i].uy);
            grid[i].f[k] += omega * (eq - grid[i].f[k]);
        }
    }
#pragma endscop
}

/* What comes from a wall is what went there. */
void stream(cell to[NY][NX], cell from[NY][NX])
{
#pragma scop
    for (int y = 1; y < NY - 1; y++)
        for (int x = 1; x < NX - 1; x++)
            for (int k = 0; k < 9; k++) {
                int px = x - ex[k], py = y - ey[k];
                if (from[py][px].wall)
                    to[y][x].f[k] = from[y][x].f[back[k]];
                else
                    to[y][x].f[k] = from[py][px].f[k];
            }
#pragma endscop
}

/* Left and right edge are one. */
void wrap_edges(cell *grid, int nx, int ny)
{
#pragma scop
    for (int y = 0; y < ny; y++) {
        grid[y * nx] = grid[y * nx + nx - 2];
        grid[y * nx + nx - 1] = grid[y * nx + 1];
    }
#pragma endscop
}

double total_mass(cell grid[NY][NX])
{
    double m = 0;
#pragma scop
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++)
            if (!grid[y][x].wall)
                for (int k = 0; k < 9; k++)
                    m += grid[y][x].f[k];
#pragma endscop
    return m;
}

static cell a[NY][NX], b[NY][NX];
static flow now[NY * NX];

int main(void)
{
    for (int y = 0; y < NY; y++)
        for (int x = 0; x < NX; x++) {
            for (int k = 0; k < 9; k++)
                a[y][x].f[k] = weight[k] * (1 + (double)(data_next() % 100) * 0.001);
            a[y][x].wall = y == 0 || y == NY - 1 || (x - 8) * (x - 8) + (y - 9) * (y - 9) < 9;
            b[y][x] = a[y][x];
        }
    for (int t = 0; t < 6; t++) {
        measure(&a[0][0], now, NX, NY);
        collide(&a[0][0], now, NX, NY, 1.3);
        wrap_edges(&a[0][0], NX, NY);
        stream(b, a);
        wrap_edges(&b[0][0], NX, NY);
        stream(a, b);
        double mass = total_mass(a);
        data_show("mass", t, &mass, sizeof mass);
        data_show("flow", t, now, sizeof now);
    }
    return 0;
}
