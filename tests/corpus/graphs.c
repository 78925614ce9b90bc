/* Shortest paths, reachability and the rank of pages. */
#include "data.h"

#define INF 1000000

typedef struct {
    int from, to, cost;
} Edge;

void all_pairs(int *dist, int n)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (dist[i * n + k] == INF)
                continue;
            for (int j = 0; j < n; j++) {
                int through = dist[i * n + k] + dist[k * n + j];
                if (through < dist[i * n + j])
                    dist[i * n + j] = through;
            }
        }
#pragma endscop
}

/* Returns the number of rounds, or -1 for a negative cycle. */
int bellman_ford(const Edge *edges, int edge_count, int *dist, int *parent, int n, int source)
{
    int round = 0, changed = 1;
#pragma scop
    for (int i = 0; i < n; i++) {
        dist[i] = INF;
        parent[i] = -1;
    }
    if (source < n)
        dist[source] = 0;
    while (changed && round < n) {
        changed = 0;
        for (const Edge *e = edges; e != edges + edge_count; e++) {
            if (dist[e->from] == INF)
                continue;
            if (dist[e->from] + e->cost < dist[e->to]) {
                dist[e->to] = dist[e->from] + e->cost;
                parent[e->to] = e->from;
                changed = 1;
            }
        }
        round++;
    }
#pragma endscop
    return changed ? -1 : round;
}

/* Breadth first, over a matrix of neighbours. Returns how many were reached. */
int breadth_first(const unsigned char *adj, int n, int start, int *queue, int *depth)
{
    int head = 0, tail = 0;
    for (int i = 0; i < n; i++)
        depth[i] = -1;
    if (start >= n)
        return 0;
    queue[tail++] = start;
    depth[start] = 0;
#pragma scop
    while (head < tail) {
        int u = queue[head++];
        for (int v = 0; v < n; v++) {
            if (adj[u * n + v] && depth[v] < 0) {
                depth[v] = depth[u] + 1;
                queue[tail++] = v;
            }
        }
    }
#pragma endscop
    return tail;
}

void page_rank(const Edge *edges, int edge_count, double *rank, double *next, int *degree, int n,
               int rounds)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        rank[i] = 1.0 / n;
        degree[i] = 0;
    }
    for (int e = 0; e < edge_count; e++)
        degree[edges[e].from]++;
    for (int r = 0; r < rounds; r++) {
        double loose = 0;
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            if (degree[i] == 0)
                loose += rank[i];
        }
        for (int e = 0; e < edge_count; e++)
            next[edges[e].to] += rank[edges[e].from] / degree[edges[e].from];
        for (int i = 0; i < n; i++)
            rank[i] = 0.15 / n + 0.85 * (next[i] + loose / n);
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        int m = 3 * n;
        Edge *edges = malloc((m + 1) * sizeof *edges);
        int *dist = data_ints(n * n, 100);
        unsigned char *adj = data_bytes(n * n);
        for (int k = 0; k < m; k++) {
            edges[k].from = (int)(data_next() % n);
            edges[k].to = (int)(data_next() % n);
            edges[k].cost = (int)(data_next() % 30) - (n < 9);
        }
        for (int k = 0; k < n * n; k++) {
            adj[k] = adj[k] < 20;
            if (dist[k] > 60)
                dist[k] = INF;
        }
        all_pairs(dist, n);
        data_show("all pairs", n, dist, n * n * sizeof *dist);
        int *d = data_ints(n, 2), *p = data_ints(n, 2);
        int rounds = bellman_ford(edges, m, d, p, n, 0);
        data_show("ford", rounds, d, n * sizeof *d);
        data_show("parents", rounds, p, n * sizeof *p);
        int reached = breadth_first(adj, n, 0, p, d);
        data_show("breadth", reached, d, n * sizeof *d);
        double *rank = data_doubles(n), *next = data_doubles(n);
        page_rank(edges, m, rank, next, d, n, 7);
        data_show("rank", n, rank, n * sizeof *rank);
    }
}
