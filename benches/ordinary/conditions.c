/* Loops with conditions: thresholds, clamps, selections and guarded updates. */
#include <math.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

void keep_above(int n, float level, const float x[restrict n], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (x[i] > level)
            y[i] = x[i];
        else
            y[i] = 0.0f;
    }
#pragma endscop
}

void clamp_range(int n, double lo, double hi, const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = MIN(MAX(x[i], lo), hi);
#pragma endscop
}

void choose_larger(int n, const double a[restrict n], const double b[restrict n], double c[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i] = a[i] > b[i] ? a[i] : b[i];
#pragma endscop
}

void masked_average(int n, const int mask[restrict n], const double x[restrict n], double state[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (mask[i] > 0)
            state[i] = 0.5 * (state[i] + x[i]);
    }
#pragma endscop
}

void signs(int n, const int x[restrict n], int s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        s[i] = x[i] > 0 ? 1 : (x[i] < 0 ? -1 : 0);
#pragma endscop
}

void shrink_towards_zero(int n, double t, const double x[restrict n], double y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double v = x[i];
        if (v > t)
            y[i] = v - t;
        else if (v < -t)
            y[i] = v + t;
        else
            y[i] = 0.0;
    }
#pragma endscop
}

void leaky_activation(int n, float slope, const float x[restrict n], const float bias[restrict n], float y[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float v = x[i] + bias[i];
        y[i] = v < 0.0f ? slope * v : v;
    }
#pragma endscop
}

void tariff(int n, double first, double second, const double use[restrict n], double cost[restrict n])
{
    double c;
#pragma scop
    for (int i = 0; i < n; i++) {
        c = 0.25 * use[i];
        if (use[i] > first)
            c += 0.10 * (use[i] - first);
        if (use[i] > second)
            c += 0.15 * (use[i] - second);
        cost[i] = c;
    }
#pragma endscop
}

void safe_ratio(int n, double tiny, const double num[restrict n], const double den[restrict n], double out[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = fabs(den[i]) > tiny ? num[i] / den[i] : 0.0;
#pragma endscop
}

void edge_marks(int h, int w, float level, const float *restrict img, unsigned char *restrict mark)
{
#pragma scop
    for (int i = 1; i < h - 1; i++) {
        for (int j = 1; j < w - 1; j++) {
            float dx = img[i * w + j + 1] - img[i * w + j - 1];
            float dy = img[(i + 1) * w + j] - img[(i - 1) * w + j];
            if (dx * dx + dy * dy > level)
                mark[i * w + j] = 1;
            else
                mark[i * w + j] = 0;
        }
    }
#pragma endscop
}

void order_pairs(int n, const int a[restrict n], const int b[restrict n], int lo[restrict n], int hi[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (a[i] < b[i]) {
            lo[i] = a[i];
            hi[i] = b[i];
        } else {
            lo[i] = b[i];
            hi[i] = a[i];
        }
    }
#pragma endscop
}
