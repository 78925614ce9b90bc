/* A product of matrices over flat memory, without promises. */
#include "data.h"

void matmul(const float *a, const float *b, float *c, int n, int m, int k)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = 0; p < k; p++)
                sum += a[i * k + p] * b[p * m + j];
            c[i * m + j] = sum;
        }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int m = n + 2, k = n / 2 + 1;
        float *a = data_floats(n * k), *b = data_floats(k * m), *c = data_floats(n * m);
        matmul(a, b, c, n, m, k);
        data_show("matmul", n, c, 4 * n * m);
    }
}
