// found: a step back was negated in its own type
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i64:0..9 i32:0..9
// run: 5 3 1 | 100 100 | 9 9
// run: 3 -2147483648 2 | 100 100 | 9 9
// run: 4 7 9 | 100 100 | 9 9
static void back(int n, unsigned u, int *p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        *p = i;
        p -= u;
    }
#pragma endscop
}
static long least(int n, int x, long *a)
{
    long k = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = k;
        k -= x;
    }
#pragma endscop
    return k;
}
static long wide(int n, unsigned u, long *a)
{
    long k = 100;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[k & 63] += i;
        k -= u;
    }
#pragma endscop
    return k;
}
void entry(const long *s, void **p)
{
    long *a = p[0];
    back(s[0], s[2], (int *)p[1] + 90);
    a[80] = least(s[0], s[1], p[0]);
    a[81] = wide(s[0], s[2], p[0]);
}
