// found: a structure that is assigned as a whole in front of a region had no values there; copies through pointers that the region sets were taken apart although one member picks the place of the next
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0 --certify never
// memory: i32:-9..9 i32:0..5 i32:0..9
// run: 12 | 72 24 12 | 9 5 9
// run: 1 | 72 24 1 | 9 5 9
// run: 30 | 72 24 30 | 9 5 9
struct rec { int n; int v[3]; };
static struct rec other[6];
void kernel(int n, const struct rec *p, int *restrict out)
{
    struct rec t;
    t = p[1];
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] += t.v[i % 3] * 2;
#pragma endscop
}
void pick(int n, struct rec *c)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        struct rec *z = &c[0];
        c[0] = z->n > 2 ? c[i % 6] : other[z->n];
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    struct rec *c = p[1], *of = p[0];
    for (int i = 0; i < 6; i++) {
        c[i].n = (i * 5 + 2) % 6;
        other[i].n = (i + 3) % 6;
        for (int j = 0; j < 3; j++)
            other[i].v[j] = i * 10 + j;
    }
    pick(3, c);
    kernel(s[0], of, p[2]);
}
