/* Steps of PageRank on a graph in compressed rows: row[i] to row[i + 1] - 1 are
 * the edges into node i, source[e] is where edge e comes from, and a node
 * passes its rank on in equal parts. */
#include "rows.h"

void pagerank_init(int steps, int n, int edges, int shape, double damping,
                   int row[restrict n + 1], int source[restrict edges],
                   int degree[restrict n], double rank[restrict n], double part[restrict n])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, edges, shape);
    for (int i = 0; i < n; i++) {
        degree[i] = 0;
        rank[i] = 1.0 / n;
        part[i] = 0.0;
    }
    for (int e = 0; e < edges; e++) {
        source[e] = spread(e, n);
        degree[source[e]]++;
    }
}

void pagerank(int steps, int n, int edges, int shape, double damping, int row[restrict n + 1],
              int source[restrict edges], int degree[restrict n], double rank[restrict n],
              double part[restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            part[i] = degree[i] > 0 ? rank[i] / degree[i] : 0.0;
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int e = row[i]; e < row[i + 1]; e++)
                sum += part[source[e]];
            rank[i] = (1.0 - damping) / n + damping * sum;
        }
    }
#pragma endscop
}
