/* Functions with variables of their own that stay from call to call: generators of random numbers,
 * counters, a filter with a memory, a ring, one that remembers what it computed, one that warns a
 * few times. */
#include "data.h"

static unsigned draw(void)
{
    static unsigned seed = 2463534242u;
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static double uniform(double low, double high)
{
    return low + (high - low) * (draw() >> 8) / 16777216.0;
}

/* Two normal numbers at a time, one of which waits for the next call. */
static double normal(void)
{
    static double waiting;
    static int has_one = 0;
    if (has_one) {
        has_one = 0;
        return waiting;
    }
    double u, v, s;
    do {
        u = uniform(-1, 1);
        v = uniform(-1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    waiting = v * s;
    has_one = 1;
    return u * s;
}

static int ticket(void)
{
    static int next = 100;
    return next++;
}

static float smoothed(float x)
{
    static float memory[4];
    static int at;
    float sum = 0;
    memory[at] = x;
    at = (at + 1) % 4;
    for (int k = 0; k < 4; k++)
        sum += memory[k];
    return sum / 4;
}

static unsigned long long binomial(int n, int k)
{
    static unsigned long long known[32][32];
    if (k < 0 || k > n)
        return 0;
    if (k == 0 || k == n)
        return 1;
    if (known[n][k] == 0)
        known[n][k] = binomial(n - 1, k - 1) + binomial(n - 1, k);
    return known[n][k];
}

static void warn(int line, double value)
{
    static int warned = 0;
    if (warned < 5) {
        printf("line %d: %.3f\n", line, value);
        warned++;
    }
}

static void digits(int x)
{
    if (x > 9)
        digits(x / 10);
    putchar('0' + x % 10);
}

void field(int n, double (*a)[n], double *mean, int *id)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) {
            double shift = uniform(0, i);
            a[i][j] = normal() + shift;
            sum += a[i][j];
        }
        mean[i] = sum / n;
        id[i] = ticket();
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            a[i][j] = (a[i][j] + a[i - 1][j] + a[i + 1][j]) / 3;
    for (int i = 0; i < n; i++)
        if (mean[i] > 2)
            warn(id[i], mean[i]);
#pragma endscop
}

void filtered(int n, const float *x, float *y, float *z)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = smoothed(x[i]);
        if (draw() % 4 == 0)
            z[i] = y[i] * 2;
        else
            z[i] = x[i] - smoothed(y[i]);
    }
#pragma endscop
}

void pascal(int n, unsigned long long *row, int *bits)
{
#pragma scop
    for (int k = 0; k <= n; k++) {
        row[k] = binomial(n, k) % 1000003;
        bits[k] = ticket() % 7;
        bits[k] += k > 3 ? ticket() : k;
    }
    for (int k = 0; k <= n; k += 5) {
        digits((int)row[k]);
        putchar('\n');
    }
#pragma endscop
}

int main(void)
{
    for (int n = 3; n < 40; n += 9) {
        double (*a)[n] = (double (*)[n])data_doubles(n * n);
        double *mean = data_doubles(n);
        float *x = data_floats(n), *y = data_floats(n), *z = data_floats(n);
        int *id = data_ints(n + 1, 9);
        unsigned long long row[32] = {0};
        field(n, a, mean, id);
        filtered(n, x, y, z);
        pascal(n % 32, row, id);
        data_show("a", n, a, n * n * sizeof **a);
        data_show("mean", n, mean, n * sizeof *mean);
        data_show("id", n, id, n * sizeof *id);
        data_show("y", n, y, n * sizeof *y);
        data_show("z", n, z, n * sizeof *z);
        data_show("row", n, row, sizeof row);
        free(a); free(mean); free(x); free(y); free(z); free(id);
    }
    return 0;
}
