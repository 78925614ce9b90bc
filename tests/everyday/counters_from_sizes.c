/* Counters that begin with a size, and go up and down by other steps than one. */
#include "data.h"

void two(float *x, const float *y, int n, int m)
{
    int k = m;
#pragma scop
    for (int i = 0; i < n; i++) {
        x[k] = y[i];
        x[k + 1] = -y[i];
        k += 2;
    }
#pragma endscop
}

int down(float *x, const float *y, int n)
{
    int k = 3 * n;
#pragma scop
    for (int i = 0; i < n; i++) {
        x[k] += y[i];
        k -= 3;
    }
#pragma endscop
    return k;
}

void rev(float *x, const float *y, int n)
{
    int k = n - 1;
#pragma scop
    for (int i = 0; i < n; i += 2) {
        x[i] += y[k];
        k -= 2;
    }
#pragma endscop
}

int nest(float *x, int n, int m, int p)
{
    int k = n + m;
#pragma scop
    for (int i = 1; i < n; i++) {
        for (int j = 2; j < m; j += 2) {
            x[k] += i * j;
            k += p;
        }
        k += 5;
    }
#pragma endscop
    return k;
}

int each(float *x, int n, int m)
{
    int k = n - 4;
#pragma scop
    for (int i = 0; i < n; i++) {
        x[k] += i;
        for (int j = 0; j < m; j++)
            k += 2;
    }
#pragma endscop
    return k;
}

int main(void)
{
    DATA_EACH(n) {
        float *a = data_floats(4000), *b = data_floats(4000);
        /* Apart, and one in the other. */
        for (int k = 0; k < 2; k++) {
            float *y = k ? a + 40 : b;
            int ends[6] = {0};
            two(a, y, n, 7);
            two(a, y, 0, 2147483647);
            ends[0] = down(a, y, n);
            rev(a, y, n);
            rev(a, y, -n);
            ends[1] = nest(a, n, 9, 3);
            ends[2] = nest(a + 3000, n, 3, -8);
            ends[3] = nest(a + 1000, 1, 2147483646, 9);
            ends[4] = each(a + 4, n, 3);
            ends[5] = each(a + 4, n, -3);
            data_show("counted", n, a, 4000 * sizeof *a);
            data_show("ends", n, ends, sizeof ends);
        }
    }
}
