/* Reductions: sums, extrema, dot products, counts, flags and norms of whole arrays. */
#include <math.h>

void sum_ints(int n, const int x[restrict n], int r[restrict 1])
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i];
    r[0] = s;
#pragma endscop
}

void lowest_and_highest(int n, const float x[restrict n], float lo[restrict 1], float hi[restrict 1])
{
    float a = x[0], b = x[0];
#pragma scop
    for (int i = 1; i < n; i++) {
        if (x[i] < a)
            a = x[i];
        if (x[i] > b)
            b = x[i];
    }
    lo[0] = a;
    hi[0] = b;
#pragma endscop
}

void place_of_least(int n, const double x[restrict n], double value[restrict 1], int place[restrict 1])
{
    double best = x[0];
    int where = 0;
#pragma scop
    for (int i = 1; i < n; i++) {
        if (x[i] < best) {
            best = x[i];
            where = i;
        }
    }
    value[0] = best;
    place[0] = where;
#pragma endscop
}

void dot_doubles(int n, const double x[restrict n], const double y[restrict n], double r[restrict 1])
{
#pragma scop
    r[0] = 0.0;
    for (int i = 0; i < n; i++)
        r[0] += x[i] * y[i];
#pragma endscop
}

void dot_ints(int n, const int x[restrict n], const int y[restrict n], long r[restrict 1])
{
    long s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += (long)x[i] * y[i];
#pragma endscop
    r[0] = s;
}

void count_above(int n, double level, const double x[restrict n], int count[restrict 1])
{
    int c = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > level)
            c++;
    count[0] = c;
#pragma endscop
}

void check_range(int n, int lo, int hi, const int x[restrict n], int all[restrict 1], int any[restrict 1])
{
#pragma scop
    all[0] = 1;
    any[0] = 0;
    for (int i = 0; i < n; i++) {
        int inside = x[i] >= lo && x[i] <= hi;
        all[0] &= inside;
        any[0] |= inside;
    }
#pragma endscop
}

void xor_checksum(int n, const unsigned int *restrict words, unsigned int *restrict r)
{
    unsigned int x = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        x ^= words[i];
#pragma endscop
    r[0] = x;
}

void three_norms(int n, const double x[restrict n], double norms[restrict 3])
{
    double one = 0.0, two = 0.0, most = 0.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double v = fabs(x[i]);
        one += v;
        two += v * v;
        most = v > most ? v : most;
    }
    norms[0] = one;
    norms[1] = sqrt(two);
    norms[2] = most;
#pragma endscop
}

void largest_change(int h, int w, const float old[restrict h][w], const float new[restrict h][w], float r[restrict 1])
{
    float worst = 0.0f;
#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            worst = fmaxf(worst, fabsf(new[i][j] - old[i][j]));
    r[0] = worst;
#pragma endscop
}

void mean_and_variance(int n, const float x[restrict n], float mean[restrict 1], float variance[restrict 1])
{
    float sum = 0.0f, squares = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++)
        sum += x[i];
    mean[0] = sum / n;
    for (int i = 0; i < n; i++) {
        float d = x[i] - mean[0];
        squares += d * d;
    }
    variance[0] = squares / n;
#pragma endscop
}
