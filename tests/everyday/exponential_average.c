/* A running mean, and where it was largest. */
#include "data.h"

int smooth(int n, const double *restrict x, double *restrict y, double alpha)
{
    double state = 0;
    int best = -1;
    double top = -1e300;
#pragma scop
    for (int i = 0; i < n; i++) {
        state = alpha * x[i] + (1 - alpha) * state;
        y[i] = state;
        if (state > top) {
            top = state;
            best = i;
        }
    }
#pragma endscop
    return best;
}

int main(void)
{
    DATA_EACH(n) {
        double *x = data_doubles(n), *y = data_doubles(n);
        int best = smooth(n, x, y, 0.125);
        data_show("smooth", best, y, 8 * n);
    }
}
