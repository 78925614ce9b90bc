/* A chain of springs: vectors of two numbers, and functions for them. */
#include "data.h"

struct vec {
    double x, y;
};

static double dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y;
}

static void add_scaled(struct vec *a, const struct vec *b, double f)
{
    a->x += f * b->x;
    a->y += f * b->y;
}

void step(int n, struct vec *restrict place, struct vec *restrict speed, double dt)
{
#pragma scop
    for (int i = 1; i < n; i++) {
        add_scaled(&speed[i], &place[i - 1], dt);
        add_scaled(&speed[i], &place[i], -dt);
    }
    for (int i = 0; i < n; i++)
        add_scaled(&place[i], &speed[i], dt);
#pragma endscop
}

double energy(int n, const struct vec *speed)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += dot(speed[i], speed[i]) / 2;
#pragma endscop
    return sum;
}

int main(void)
{
    DATA_EACH(n) {
        struct vec *place = (void *)data_doubles(2 * n), *speed = (void *)data_doubles(2 * n);
        step(n, place, speed, 0.01);
        double sum = energy(n, speed);
        data_show("place", n, place, 16 * n);
        data_show("energy", n, &sum, 8);
    }
}
