#include "numbers.h"
struct quat { double w, x, y, z; };
void rotate(struct quat *restrict out, const struct quat *restrict q, const struct quat *restrict p, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double w = q[i].w * p[i].w - q[i].x * p[i].x - q[i].y * p[i].y - q[i].z * p[i].z;
        double x = q[i].w * p[i].x + q[i].x * p[i].w + q[i].y * p[i].z - q[i].z * p[i].y;
        double y = q[i].w * p[i].y - q[i].x * p[i].z + q[i].y * p[i].w + q[i].z * p[i].x;
        double z = q[i].w * p[i].z + q[i].x * p[i].y - q[i].y * p[i].x + q[i].z * p[i].w;
        double len = w * w + x * x + y * y + z * z;
        double inv = len > 0 ? 1 / len : 0;
        out[i].w = w * inv;
        out[i].x = x * inv;
        out[i].y = y * inv;
        out[i].z = z * inv;
    }
#pragma endscop
}
int main(void)
{
    struct quat o[9], q[9], p[9];
    fill_doubles(&q[0].w, 36); fill_doubles(&p[0].w, 36);
    rotate(o, q, p, 9);
    show("quat", o, sizeof o);
}
