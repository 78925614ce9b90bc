/* Shortest paths between all pairs of nodes by the method of Floyd and Warshall:
 * after step k, path[i][j] is the length of the shortest way from i to j that
 * passes only through nodes up to k.
 */

/* Edges of length 1 to 50; every fifth pair or so is as good as unconnected. */
void floyd_warshall_init(int n, int path[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            path[i][j] = i == j ? 0
                       : (i + 2 * j) % 5 == 0 ? 10000
                       : 1 + (7 * i + 13 * j + i * j) % 50;
}

void floyd_warshall(int n, int path[restrict n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j]
                                 ? path[i][j]
                                 : path[i][k] + path[k][j];
#pragma endscop
}
