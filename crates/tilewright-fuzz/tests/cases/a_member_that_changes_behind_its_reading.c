// found: a variable was replaced by a member that changes before it is used
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:0..9
// run: 3 5 | 400000 | 9
// run: 0 7 | 400000 | 9
struct sizes { int n; };
static void first(struct sizes *s, int m, int *restrict a)
{
    int k;
#pragma scop
    k = s->n;
    s->n = m / 2 + 4;
    for (int i = 0; i < m; i++) {
        a[k] = i + s->n;
        k++;
    }
#pragma endscop
}
static void second(struct sizes *s, int m, int *restrict a)
{
#pragma scop
    int *p = a + s->n;
    s->n = m / 2 + 4;
    for (int i = 0; i < m; i++)
        p[i] = i + s->n;
#pragma endscop
}
static void third(struct sizes *s, int m, int *restrict a)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < m; i++) {
        a[k] = i;
        k += s->n;
        s->n = 2;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    struct sizes own = { s[0] };
    first(&own, s[1], p[0]);
    own.n = s[0] + 100;
    second(&own, s[1], p[0]);
    own.n = s[0];
    third(&own, s[1], (int *)p[0] + 1000);
}
