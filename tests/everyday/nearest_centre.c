/* One step of k-means: the nearest centre of each point, and the sums for new centres. */
#include "data.h"

void assign(int n, int k, const float p[restrict n][2], const float c[restrict k][2],
            int label[restrict n], float sum[restrict k][2], int count[restrict k])
{
#pragma scop
    for (int j = 0; j < k; j++) {
        sum[j][0] = sum[j][1] = 0;
        count[j] = 0;
    }
    for (int i = 0; i < n; i++) {
        int best = 0;
        float least = 1e30f;
        for (int j = 0; j < k; j++) {
            float dx = p[i][0] - c[j][0], dy = p[i][1] - c[j][1];
            float d = dx * dx + dy * dy;
            if (d < least) {
                least = d;
                best = j;
            }
        }
        label[i] = best;
        sum[best][0] += p[i][0];
        sum[best][1] += p[i][1];
        count[best]++;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int k = n / 8 + 1;
        float *p = data_floats(2 * n), *c = data_floats(2 * k), *sum = data_floats(2 * k);
        int *label = data_ints(n, 5), *count = data_ints(k, 5);
        assign(n, k, (void *)p, (void *)c, label, (void *)sum, count);
        data_show("label", n, label, 4 * n);
        data_show("sum", n, sum, 8 * k);
        data_show("count", n, count, 4 * k);
    }
}
