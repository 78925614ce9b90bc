/* A ragged array: row i has row[i + 1] - row[i] elements in one array. Each
 * row is scaled to sum up to one, and its largest element is found. That rows
 * do not overlap only the pragma can say. */
#include "rows.h"

void ragged_init(int n, int all, int shape, int row[restrict n + 1], double in[restrict all],
                 double out[restrict all], double largest[restrict n])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, all, shape);
    for (int j = 0; j < all; j++) {
        in[j] = 1.5 + value(j);
        out[j] = 0.0;
    }
    for (int i = 0; i < n; i++)
        largest[i] = 0.0;
}

void ragged(int n, int all, int shape, int row[restrict n + 1], double in[restrict all],
            double out[restrict all], double largest[restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        largest[i] = 0.0;
        for (int j = row[i]; j < row[i + 1]; j++) {
            double e = in[j];
            sum += e;
            if (e > largest[i])
                largest[i] = e;
        }
        for (int j = row[i]; j < row[i + 1]; j++)
            out[j] = in[j] / sum;
    }
#pragma endscop
}
