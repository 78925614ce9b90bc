/* Neighbours and clusters. */
#include "data.h"
#include <math.h>

/* Returns how many points changed their cluster. */
int k_means_step(const float *points, int n, int dim, float *centres, int k, int *owner,
                 float *sums, int *counts)
{
    int moved = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        float best = 0;
        int who = -1;
        for (int c = 0; c < k; c++) {
            float d = 0;
            for (int j = 0; j < dim; j++) {
                float diff = points[i * dim + j] - centres[c * dim + j];
                d += diff * diff;
            }
            if (who < 0 || d < best) {
                best = d;
                who = c;
            }
        }
        if (owner[i] != who) {
            owner[i] = who;
            moved++;
        }
    }
    memset(sums, 0, k * dim * sizeof *sums);
    memset(counts, 0, k * sizeof *counts);
    for (int i = 0; i < n; i++) {
        counts[owner[i]]++;
        for (int j = 0; j < dim; j++)
            sums[owner[i] * dim + j] += points[i * dim + j];
    }
    for (int c = 0; c < k; c++) {
        if (!counts[c])
            continue;
        for (int j = 0; j < dim; j++)
            centres[c * dim + j] = sums[c * dim + j] / (float)counts[c];
    }
#pragma endscop
    return moved;
}

#define K 3

/* The K nearest of each point, kept in order by insertion. */
void nearest_few(const double (*pts)[2], int n, int (*ids)[K])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double dist[K];
        int have = 0;
        for (int j = 0; j < n; j++) {
            if (j == i)
                continue;
            double dx = pts[j][0] - pts[i][0], dy = pts[j][1] - pts[i][1];
            double d = dx * dx + dy * dy;
            int p = have;
            if (have == K) {
                if (d >= dist[K - 1])
                    continue;
                p = K - 1;
            } else {
                have++;
            }
            while (p > 0 && dist[p - 1] > d) {
                dist[p] = dist[p - 1];
                ids[i][p] = ids[i][p - 1];
                p--;
            }
            dist[p] = d;
            ids[i][p] = j;
        }
        for (; have < K; have++)
            ids[i][have] = -1;
    }
#pragma endscop
}

/* Symmetric distances between all rows, only one half computed. */
void distance_matrix(float **rows, int n, int dim, float **dist)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        dist[i][i] = 0.0f;
        for (int j = i + 1; j < n; j++) {
            float s = 0.0f;
            const float *a = rows[i], *b = rows[j];
            for (int k = 0; k < dim; k++)
                s += (a[k] - b[k]) * (a[k] - b[k]);
            dist[i][j] = dist[j][i] = sqrtf(s);
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int dim = 3, k = 4, counts[4];
        float *pts = data_floats(n * dim), *centres = data_floats(k * dim), sums[12];
        int *owner = data_ints(n, k), moved = 0;
        for (int r = 0; r < 3; r++)
            moved = k_means_step(pts, n, dim, centres, k, owner, sums, counts);
        data_show("means", moved, centres, k * dim * sizeof *centres);
        double (*p2)[2] = (double (*)[2])data_doubles(2 * n);
        int (*ids)[K] = (int (*)[K])data_ints(K * n, 2);
        nearest_few((const double (*)[2])p2, n, ids);
        data_show("nearest", n, ids, n * sizeof *ids);
        float **rows = malloc((n + 1) * sizeof *rows), **dist = malloc((n + 1) * sizeof *dist);
        for (int i = 0; i < n; i++) {
            rows[i] = pts + i * dim;
            dist[i] = data_floats(n);
        }
        distance_matrix(rows, n, dim, dist);
        if (n > 0)
            data_show("distance", n, dist[n / 2], n * sizeof **dist);
    }
}
