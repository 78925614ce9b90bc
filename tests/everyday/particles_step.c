/* Particles in a box: the old state is kept, the new one is computed from a copy. */
#include "data.h"

typedef struct { float x, y; } vec2;
typedef struct { vec2 at, speed; int hits; } particle;

void advance(int n, particle *restrict now, particle *restrict before, float dt)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const particle p = now[i];
        before[i] = p;
        vec2 at = p.at;
        at.x += p.speed.x * dt;
        at.y += p.speed.y * dt;
        now[i].at = at;
        if (at.x < -1.0f || at.x > 1.0f) {
            now[i].speed.x = -p.speed.x;
            now[i].hits = p.hits + 1;
        }
        if (at.y < -1.0f || at.y > 1.0f) {
            now[i].speed.y = -p.speed.y;
            now[i].hits++;
        }
    }
#pragma endscop
}

/* The particle that is farthest to the right. */
particle rightmost(int n, const particle *restrict p)
{
    particle best = {{-9.0f, 0.0f}, {0.0f, 0.0f}, -1};
#pragma scop
    for (int i = 0; i < n; i++)
        if (p[i].at.x > best.at.x)
            best = p[i];
#pragma endscop
    return best;
}

int main(void)
{
    DATA_EACH(n) {
        particle *now = (particle *)data_floats(5 * n), *before = (particle *)data_floats(5 * n);
        for (int i = 0; i < n; i++)
            now[i].hits = 0;
        for (int t = 0; t < 4; t++)
            advance(n, now, before, 0.3f);
        particle best = rightmost(n, now);
        data_show("now", n, now, sizeof *now * n);
        data_show("before", n, before, sizeof *now * n);
        data_show("rightmost", n, &best, sizeof best);
    }
}
