/* The distance of every point from its nearest centre. */
#include "data.h"
#include <math.h>

static float square(float x)
{
    return x * x;
}

static float distance(const float *a, const float *b, int dims)
{
    float sum = 0;
    for (int d = 0; d < dims; d++)
        sum += square(a[d] - b[d]);
    return sum;
}

static float nearest(const float *point, const float *centres, int k, int dims)
{
    float best = 1e30f;
    for (int c = 0; c < k; c++) {
        float own = distance(point, centres + c * dims, dims);
        if (own < best)
            best = own;
    }
    return best;
}

void k_means(const float *restrict points, const float *restrict centres, float *restrict out,
             int n, int k, int dims)
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = sqrtf(nearest(&points[i * dims], centres, k, dims));
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int k = n / 8 + 1, dims = 3;
        float *points = data_floats(n * dims), *centres = data_floats(k * dims);
        float *out = data_floats(n);
        k_means(points, centres, out, n, k, dims);
        data_show("k_means", n, out, 4 * n);
    }
}
