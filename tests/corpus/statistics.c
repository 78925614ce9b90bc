/* Moments, correlations and histograms of samples. */
#include "data.h"
#include <math.h>

struct moments {
    double mean, var, skew, min, max;
};

void describe(const double *x, int n, struct moments *m)
{
    double mean = 0, m2 = 0, m3 = 0;
    m->min = INFINITY;
    m->max = -INFINITY;
#pragma scop
    for (int i = 0; i < n; i++) {
        double delta = x[i] - mean;
        double dn = delta / (i + 1);
        double term = delta * dn * i;
        m3 += term * dn * (i - 1) - 3 * dn * m2;
        m2 += term;
        mean += dn;
        if (x[i] < m->min)
            m->min = x[i];
        if (x[i] > m->max)
            m->max = x[i];
    }
#pragma endscop
    m->mean = mean;
    m->var = n > 1 ? m2 / (n - 1) : 0;
    m->skew = m2 > 0 ? sqrt((double)n) * m3 / pow(m2, 1.5) : 0;
}

#define FEATURES 5

void covariance(double (*rows)[FEATURES], int n, double cov[FEATURES][FEATURES])
{
    double mean[FEATURES] = {0};
#pragma scop
    for (int i = 0; i < n; i++)
        for (int f = 0; f < FEATURES; f++)
            mean[f] += rows[i][f];
    for (int f = 0; f < FEATURES; f++)
        mean[f] /= n > 0 ? n : 1;
    for (int a = 0; a < FEATURES; a++) {
        for (int b = a; b < FEATURES; b++) {
            double sum = 0;
            for (int i = 0; i < n; i++)
                sum += (rows[i][a] - mean[a]) * (rows[i][b] - mean[b]);
            cov[a][b] = cov[b][a] = n > 1 ? sum / (n - 1) : 0;
        }
    }
#pragma endscop
}

/* Values outside go to the first or the last bin. Returns the fullest bin. */
int fill_histogram(const float *v, int n, float lo, float hi, unsigned *bins, int bin_count)
{
    int mode = 0;
    float width = (hi - lo) / (float)bin_count;
#pragma scop
    for (int b = 0; b < bin_count; b++)
        bins[b] = 0;
    for (int i = 0; i < n; i++) {
        int b = (int)((v[i] - lo) / width);
        if (v[i] < lo)
            b = 0;
        if (b >= bin_count)
            b = bin_count - 1;
        bins[b]++;
    }
    for (int b = 1; b < bin_count; b++)
        if (bins[b] > bins[mode])
            mode = b;
#pragma endscop
    return mode;
}

/* Ranks with ties shared, by counting. */
void rank_values(const int *v, double *rank, size_t n)
{
#pragma scop
    for (size_t i = 0; i < n; i++) {
        size_t less = 0, equal = 0;
        for (size_t j = 0; j < n; j++) {
            less += v[j] < v[i];
            equal += v[j] == v[i];
        }
        rank[i] = (double)less + (double)(equal + 1) / 2.0;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        double *x = data_doubles(n * FEATURES);
        struct moments m;
        describe(x, n, &m);
        printf("%.6g %.6g %.6g %.6g %.6g\n", m.mean, m.var, m.skew, m.min, m.max);
        double cov[FEATURES][FEATURES];
        covariance((double (*)[FEATURES])x, n, cov);
        data_show("covariance", n, cov, sizeof cov);
        float *v = data_floats(n);
        unsigned bins[9];
        int mode = fill_histogram(v, n, -0.8f, 0.9f, bins, 9);
        data_show("histogram", mode, bins, sizeof bins);
        int *k = data_ints(n, 12);
        rank_values(k, x, n);
        data_show("rank", n, x, n * sizeof *x);
    }
}
