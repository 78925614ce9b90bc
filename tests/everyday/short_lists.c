/* The nearest few, kept in short lists: counters that move in one of two values. */
#include "data.h"

void nearest(const float (*point)[3], int n, int k, int (*index)[8], float (*distance)[8])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int m = 0;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            float d = 0;
            for (int c = 0; c < 3; c++) {
                float t = point[i][c] - point[j][c];
                d += t * t;
            }
            int q = m < k ? m++ : (d < distance[i][k - 1] ? k - 1 : -1);
            if (q < 0)
                continue;
            while (q > 0 && distance[i][q - 1] > d) {
                distance[i][q] = distance[i][q - 1];
                index[i][q] = index[i][q - 1];
                q--;
            }
            distance[i][q] = d;
            index[i][q] = j;
        }
    }
#pragma endscop
}

/* The even ones from below, the odd ones from above. */
int halves(const int *a, int *b, int n)
{
    int low = 0, high = n;
#pragma scop
    for (int i = 0; i < n; i++) {
        int at = a[i] % 2 ? --high : low++;
        b[at] = a[i];
    }
#pragma endscop
    return low;
}

int main(void)
{
    DATA_EACH(n) {
        size_t size = (size_t)n;
        float *point = data_floats(3 * size);
        int(*index)[8] = calloc(size + 1, sizeof *index), *a = data_ints(size, 50);
        float(*distance)[8] = calloc(size + 1, sizeof *distance);
        int *b = calloc(size + 1, sizeof *b);
        nearest((const float(*)[3])point, n, 5, index, distance);
        data_show("nearest", n, index, size * sizeof *index);
        data_show("nearest", n, distance, size * sizeof *distance);
        b[n] = halves(a, b, n);
        data_show("halves", n, b, (size + 1) * sizeof *b);
        free(point), free(index), free(a), free(distance), free(b);
    }
}
