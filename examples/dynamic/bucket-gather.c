/* The last step of bucket sort: the elements of each bucket, which is sorted,
 * one behind another. Bucket i has size[i] elements and begins at first[i]:
 * buckets do not overlap, which only the pragma can say. */
#include "rows.h"

void bucket_gather_init(int n, int buckets, int shape, int first[restrict buckets],
                        int size[restrict buckets], float bucket[restrict buckets][n],
                        float sorted[restrict n])
{
    for (int i = 0; i < buckets; i++) {
        first[i] = row_begin(i, buckets, n, shape);
        size[i] = row_begin(i + 1, buckets, n, shape) - first[i];
        for (int j = 0; j < n; j++)
            bucket[i][j] = i + (float)j / n;
    }
    for (int k = 0; k < n; k++)
        sorted[k] = -1.0f;
}

void bucket_gather(int n, int buckets, int shape, int first[restrict buckets],
                   int size[restrict buckets], float bucket[restrict buckets][n],
                   float sorted[restrict n])
{
#pragma scop
#pragma pencil independent
    for (int i = 0; i < buckets; i++)
        for (int j = 0; j < size[i]; j++)
            sorted[first[i] + j] = bucket[i][j];
#pragma endscop
}
