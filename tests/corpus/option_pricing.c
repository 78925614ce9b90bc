/* Prices of options by a tree, by chance and on a grid. */
#include "data.h"
#include <math.h>

double tree_price(double spot, double strike, double rate, double vol, double years, int steps,
                  int is_call, int american, double *value)
{
    double dt = years / steps;
    double up = exp(vol * sqrt(dt)), down = 1 / up;
    double disc = exp(-rate * dt);
    double p = (exp(rate * dt) - down) / (up - down);
#pragma scop
    for (int i = 0; i <= steps; i++) {
        double s = spot * pow(up, steps - i) * pow(down, i);
        double pay = is_call ? s - strike : strike - s;
        value[i] = pay > 0 ? pay : 0;
    }
    for (int t = steps - 1; t >= 0; t--) {
        for (int i = 0; i <= t; i++) {
            value[i] = disc * (p * value[i] + (1 - p) * value[i + 1]);
            if (american) {
                double s = spot * pow(up, t - i) * pow(down, i);
                double pay = is_call ? s - strike : strike - s;
                if (pay > value[i])
                    value[i] = pay;
            }
        }
    }
#pragma endscop
    return value[0];
}

static double next_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

double asian_price(double spot, double strike, double vol, int paths, int steps, uint64_t seed)
{
    double total = 0;
#pragma scop
    for (int p = 0; p < paths; p++) {
        double s = spot, sum = 0;
        for (int t = 0; t < steps; t++) {
            double z = 0;
            for (int k = 0; k < 4; k++)
                z += next_uniform(&seed) - 0.5;
            s *= 1 + vol * z;
            sum += s;
        }
        double pay = sum / steps - strike;
        if (pay > 0)
            total += pay;
    }
#pragma endscop
    return paths > 0 ? total / paths : 0;
}

/* Solves a system with three diagonals; c and d are used up, the answer is in d. */
void thomas(const double *a, const double *b, double *c, double *d, int n)
{
    if (n == 0)
        return;
#pragma scop
    c[0] /= b[0];
    d[0] /= b[0];
    for (int i = 1; i < n; i++) {
        double m = 1.0 / (b[i] - a[i] * c[i - 1]);
        c[i] *= m;
        d[i] = (d[i] - a[i] * d[i - 1]) * m;
    }
    for (int i = n - 2; i >= 0; i--)
        d[i] -= c[i] * d[i + 1];
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        double *value = data_doubles(n + 2);
        double price = tree_price(100, 95, 0.03, 0.2, 1, n + 1, n % 2, n % 3 == 0, value);
        printf("tree %.9g\n", price);
        printf("asian %.9g\n", asian_price(100, 98, 0.05, n, 7, 1234567u + (unsigned)n));
        double *a = data_doubles(n), *b = data_doubles(n), *c = data_doubles(n);
        double *d = data_doubles(n);
        for (int i = 0; i < n; i++)
            b[i] += 4;
        thomas(a, b, c, d, n);
        data_show("thomas", n, d, n * sizeof *d);
    }
}
