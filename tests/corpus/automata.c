/* Cellular automata: a line of cells, life with a border of walls, an ant, a burning forest. */
#include "data.h"

void rule_line(const uint8_t *cur, uint8_t *next, int n, unsigned rule)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int l = cur[(i + n - 1) % n], c = cur[i], r = cur[(i + 1) % n];
        next[i] = (rule >> (l << 2 | c << 1 | r)) & 1;
    }
#pragma endscop
}

#define W 48
#define H 32

typedef unsigned char grid_t[H][W];

/* Several generations; returns the number of the living. */
int live(grid_t a, grid_t b, int generations)
{
    int alive = 0;
#pragma scop
    for (int g = 0; g < generations; g++) {
        for (int y = 1; y < H - 1; y++) {
            for (int x = 1; x < W - 1; x++) {
                int n = a[y - 1][x - 1] + a[y - 1][x] + a[y - 1][x + 1]
                      + a[y][x - 1] + a[y][x + 1]
                      + a[y + 1][x - 1] + a[y + 1][x] + a[y + 1][x + 1];
                b[y][x] = n == 3 || (n == 2 && a[y][x]);
            }
        }
        for (int y = 1; y < H - 1; y++)
            for (int x = 1; x < W - 1; x++)
                a[y][x] = b[y][x];
    }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            alive += a[y][x];
#pragma endscop
    return alive;
}

void walk_ant(grid_t g, int *px, int *py, int *pdir, int steps)
{
    static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
    int x = *px, y = *py, dir = *pdir;
#pragma scop
    for (int s = 0; s < steps; s++) {
        if (g[y][x]) {
            dir = (dir + 3) % 4;
            g[y][x] = 0;
        } else {
            dir = (dir + 1) % 4;
            g[y][x] = 1;
        }
        x = (x + dx[dir] + W) % W;
        y = (y + dy[dir] + H) % H;
    }
#pragma endscop
    *px = x;
    *py = y;
    *pdir = dir;
}

enum { EMPTY, TREE, FIRE };

/* Returns the trees that burnt. */
int burn(int *forest, int *next, int w, int h, uint32_t *seed)
{
    int burnt = 0;
    uint32_t s = *seed;
#pragma scop
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            int i = y * w + x;
            s = s * 1664525u + 1013904223u;
            switch (forest[i]) {
            case FIRE:
                next[i] = EMPTY;
                burnt++;
                break;
            case TREE:
                next[i] = TREE;
                if ((x > 0 && forest[i - 1] == FIRE) || (x + 1 < w && forest[i + 1] == FIRE)
                    || (y > 0 && forest[i - w] == FIRE) || (y + 1 < h && forest[i + w] == FIRE))
                    next[i] = FIRE;
                break;
            default:
                next[i] = s >> 24 < 10 ? TREE : EMPTY;
            }
        }
    }
    memcpy(forest, next, w * h * sizeof *forest);
#pragma endscop
    *seed = s;
    return burnt;
}

int main(void)
{
    static grid_t a, b;
    int x = 3, y = 4, dir = 0;
    uint32_t seed = 99;
    DATA_EACH(n) {
        uint8_t *line = (uint8_t *)data_bytes(n), *next = data_bytes(n);
        for (int i = 0; i < n; i++)
            line[i] &= 1;
        rule_line(line, next, n, 110);
        data_show("line", n, next, n);
        walk_ant(a, &x, &y, &dir, 10 * n);
        data_show("ant", x * 100 + y, a, sizeof a);
        int alive = live(a, b, n / 3);
        data_show("live", alive, a, sizeof a);
        int w = n, h = n / 2 + 1, *forest = data_ints(w * h, 3), *f2 = data_ints(w * h, 3);
        int burnt = burn(forest, f2, w, h, &seed);
        data_show("burn", burnt, forest, w * h * sizeof *forest);
    }
}
