/* The point of a cloud that is nearest to each of some others. */
#include "data.h"

struct point { float x, y, z; };
typedef struct point point;

void nearest(int n, int m, const point *restrict of, const point *restrict to,
             point *restrict found, float *restrict distance)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        struct point p = of[i], best = to[0];
        float least = 1e30f, d;
        for (int j = 0; j < m; j++) {
            float dx = p.x - to[j].x, dy = p.y - to[j].y, dz = p.z - to[j].z;
            if ((d = dx * dx + dy * dy + dz * dz) < least) {
                least = d;
                best = to[j];
            }
        }
        found[i] = best;
        distance[i] = least;
    }
#pragma endscop
}

/* The leftmost one of each pair, and the last one of all. */
point leftmost(int n, const point *restrict a, const point *restrict b, point *restrict out)
{
    point last = {0.0f, 0.0f, 0.0f};
    point *to = &last;
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = a[i].x < b[i].x ? a[i] : b[i];
        *to = *(out + i);
    }
#pragma endscop
    return last;
}

int main(void)
{
    DATA_EACH(n) {
        point *a = (point *)data_floats(3 * n + 3), *b = (point *)data_floats(3 * n + 3);
        point *found = (point *)data_floats(3 * n + 3);
        float *distance = data_floats(n);
        nearest(n, n + 1, a, b, found, distance);
        data_show("nearest", n, found, sizeof *found * n);
        data_show("distance", n, distance, 4 * n);
        point last = leftmost(n, a, b, found);
        data_show("leftmost", n, found, sizeof *found * n);
        data_show("last", n, &last, sizeof last);
    }
}
