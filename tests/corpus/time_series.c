/* Indicators of prices. */
#include "data.h"
#include <math.h>

typedef struct {
    double open, high, low, close;
    unsigned volume;
} Bar;

void moving_average(const double *x, double *out, int n, int window)
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        sum += x[i];
        if (i >= window)
            sum -= x[i - window];
        out[i] = i + 1 < window ? NAN : sum / window;
    }
#pragma endscop
}

void bollinger(const double *x, double *upper, double *lower, int n, int window, double width)
{
#pragma scop
    for (int i = window - 1; i < n; i++) {
        double mean = 0, var = 0;
        for (int k = 0; k < window; k++)
            mean += x[i - k];
        mean /= window;
        for (int k = 0; k < window; k++)
            var += (x[i - k] - mean) * (x[i - k] - mean);
        double dev = sqrt(var / window);
        upper[i] = mean + width * dev;
        lower[i] = mean - width * dev;
    }
#pragma endscop
}

/* The deepest fall from a peak, and where it ended. */
double max_drawdown(const Bar *bars, int n, int *where)
{
    double peak = 0, worst = 0;
    *where = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        if (bars[i].close > peak)
            peak = bars[i].close;
        double fall = (peak - bars[i].close) / peak;
        if (fall > worst) {
            worst = fall;
            *where = i;
        }
    }
#pragma endscop
    return worst;
}

/* Joins every `group` bars into one. Returns the number of new bars. */
int resample_bars(const Bar *in, int n, Bar *out, int group)
{
    int count = 0;
#pragma scop
    for (int i = 0; i < n; i += group) {
        Bar b = in[i];
        for (int k = 1; k < group && i + k < n; k++) {
            const Bar *c = &in[i + k];
            if (c->high > b.high)
                b.high = c->high;
            if (c->low < b.low)
                b.low = c->low;
            b.close = c->close;
            b.volume += c->volume;
        }
        out[count++] = b;
    }
#pragma endscop
    return count;
}

int main(void)
{
    DATA_EACH(n) {
        double *x = data_doubles(n), *a = data_doubles(n), *b = data_doubles(n);
        moving_average(x, a, n, 5);
        data_show("average", n, a, n * sizeof *a);
        bollinger(x, a, b, n, 4, 2.0);
        data_show("upper", n, a, n * sizeof *a);
        data_show("lower", n, b, n * sizeof *b);
        Bar *bars = calloc(n + 1, sizeof *bars);
        double p = 100;
        for (int i = 0; i < n; i++) {
            bars[i].open = p;
            p += x[i];
            bars[i].close = p;
            bars[i].high = p + fabs(x[i]) * 1.5;
            bars[i].low = p - fabs(x[i]) * 1.7;
            bars[i].volume = (unsigned)(data_next() % 1000);
        }
        int where;
        double d = max_drawdown(bars, n, &where);
        printf("drawdown %.9g at %d\n", d, where);
        int count = resample_bars(bars, n, bars, 3);
        double total = 0;
        for (int i = 0; i < count; i++)
            total += bars[i].high - bars[i].low + bars[i].close + bars[i].volume;
        printf("resample %d %.9g\n", count, total);
    }
}
