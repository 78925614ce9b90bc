/* One step of breadth-first search from below: a node that has no level yet
 * gets the next one if one of its neighbours is on the frontier. Node i has the
 * neighbours neighbour[row[i]] to neighbour[row[i + 1] - 1]. */
#include "rows.h"

void bfs_step_init(int n, int edges, int depth, int shape, int row[restrict n + 1],
                   int neighbour[restrict edges], int level[restrict n], int next[restrict n])
{
    for (int i = 0; i <= n; i++)
        row[i] = row_begin(i, n, edges, shape);
    for (int e = 0; e < edges; e++)
        neighbour[e] = spread(e, n);
    for (int i = 0; i < n; i++) {
        level[i] = spread(i, 4) == 0 ? spread(i + 1, depth + 1) : -1;
        next[i] = -1;
    }
}

void bfs_step(int n, int edges, int depth, int shape, int row[restrict n + 1],
              int neighbour[restrict edges], int level[restrict n], int next[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        next[i] = level[i];
        if (level[i] < 0)
            for (int e = row[i]; e < row[i + 1]; e++)
                if (level[neighbour[e]] == depth)
                    next[i] = depth + 1;
    }
#pragma endscop
}
