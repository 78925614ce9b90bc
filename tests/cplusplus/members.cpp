// Members of arguments, behind references and pointers, and of the function's own object.
#include <cstdio>
#include <vector>

struct Grid {
    int nx, ny;
    double *u;
    std::vector<double> f;
    float w[3];
};

struct Solver {
    Grid *grid;
    double residual = 0;
    double step(double h);
};

void relax(Grid &g, double h)
{
#pragma scop
    for (int j = 1; j < g.ny - 1; j++)
        for (int i = 1; i < g.nx - 1; i++)
            g.f[j * g.nx + i] = h * g.u[j * g.nx + i]
                + g.w[1] * (g.u[j * g.nx + i - 1] + g.u[(j - 1) * g.nx + i]);
#pragma endscop
}

double Solver::step(double h)
{
#pragma scop
    for (int i = 0; i < grid->nx * 3; i++) {
        const double d = grid->u[i] - h;
        this->residual += d * d;
    }
#pragma endscop
    return residual;
}

// Two grids that may be one, of which a member is written.
void measure(const Grid &from, Grid &to, int *counts)
{
#pragma scop
    for (int i = 0; i < from.nx; i++) {
        to.ny += counts[i];
        counts[i] = from.ny;
    }
#pragma endscop
}

int main()
{
    Grid g{9, 7, new double[63], std::vector<double>(63), {1, 2, 3}};
    for (int i = 0; i < 63; i++)
        g.u[i] = i * i % 23;
    relax(g, 0.5);
    for (double x : g.f)
        std::printf("%a\n", x);
    Solver s{&g};
    double r = s.step(1.5);
    r += s.step(0.25);
    std::printf("%a\n", r);
    int counts[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    Grid other = g;
    measure(g, other, counts);
    std::printf("%d %d\n", g.ny, other.ny);
    measure(g, g, counts);
    for (int c : counts)
        std::printf("%d\n", c);
    std::printf("%d\n", g.ny);
    delete[] g.u;
}
