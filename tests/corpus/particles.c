/* Particles that pull on each other, bounce in a box and hang on a cloth. */
#include "data.h"
#include <math.h>

typedef struct {
    float x, y, z;
} Vec3;

typedef struct {
    Vec3 pos, vel, acc;
    float mass;
} Body;

static inline Vec3 vec_sub(Vec3 a, Vec3 b)
{
    Vec3 r = {a.x - b.x, a.y - b.y, a.z - b.z};
    return r;
}

static inline float vec_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

void pull_bodies(Body *bodies, int count, float dt)
{
#pragma scop
    for (int i = 0; i < count; i++) {
        bodies[i].acc = (Vec3){0, 0, 0};
        for (int j = 0; j < count; j++) {
            if (i == j)
                continue;
            Vec3 d = vec_sub(bodies[j].pos, bodies[i].pos);
            float r2 = vec_dot(d, d) + 0.01f;
            float f = bodies[j].mass / (r2 * sqrtf(r2));
            bodies[i].acc.x += d.x * f;
            bodies[i].acc.y += d.y * f;
            bodies[i].acc.z += d.z * f;
        }
    }
    for (int i = 0; i < count; i++) {
        Body *b = &bodies[i];
        b->vel.x += b->acc.x * dt;
        b->vel.y += b->acc.y * dt;
        b->vel.z += b->acc.z * dt;
        b->pos.x += b->vel.x * dt;
        b->pos.y += b->vel.y * dt;
        b->pos.z += b->vel.z * dt;
    }
#pragma endscop
}

int bounce_in_box(Body *b, int n, float size, float damping)
{
    int hits = 0;
#pragma scop
    for (Body *end = b + n; b < end; b++) {
        if (b->pos.x < 0 || b->pos.x > size) {
            b->pos.x = b->pos.x < 0 ? -b->pos.x : 2 * size - b->pos.x;
            b->vel.x *= -damping;
            hits++;
        }
        if (b->pos.y < 0 || b->pos.y > size) {
            b->pos.y = b->pos.y < 0 ? -b->pos.y : 2 * size - b->pos.y;
            b->vel.y *= -damping;
            hits++;
        }
    }
#pragma endscop
    return hits;
}

struct link {
    int a, b;
    float rest;
};

/* Relaxes the lengths of the links; particles without mass are pinned. */
void relax_links(Body *bodies, const struct link *links, int link_count, int rounds)
{
#pragma scop
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < link_count; k++) {
            Body *p = &bodies[links[k].a], *q = &bodies[links[k].b];
            Vec3 d = vec_sub(q->pos, p->pos);
            float len = sqrtf(vec_dot(d, d));
            if (len < 1e-6f)
                continue;
            float diff = 0.5f * (len - links[k].rest) / len;
            if (p->mass > 0) {
                p->pos.x += d.x * diff;
                p->pos.y += d.y * diff;
                p->pos.z += d.z * diff;
            }
            if (q->mass > 0) {
                q->pos.x -= d.x * diff;
                q->pos.y -= d.y * diff;
                q->pos.z -= d.z * diff;
            }
        }
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        Body *b = (Body *)data_floats(n * sizeof(Body) / sizeof(float));
        struct link *links = malloc((n + 1) * sizeof *links);
        for (int k = 0; k < n; k++) {
            links[k].a = (int)(data_next() % n);
            links[k].b = (int)(data_next() % n);
            links[k].rest = 0.25f;
        }
        pull_bodies(b, n, 0.02f);
        data_show("pull", n, b, n * sizeof *b);
        int hits = bounce_in_box(b, n, 0.5f, 0.9f);
        data_show("bounce", hits, b, n * sizeof *b);
        relax_links(b, links, n, 4);
        data_show("relax", n, b, n * sizeof *b);
    }
}
