// found: an argument of abs was not converted to int
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:0..9
// run: 4294967299 5 | 60 | 9
// run: -7 9 | 60 | 9
// run: 4294967290 9 | 60 | 9
extern int abs(int);
void kernel(long l, int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[abs(l) + i] += 1;
#pragma endscop
}
static void of_unsigned(unsigned u, int n, int *a)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[abs(u) + i] += 2;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0]);
    of_unsigned(s[0] == -7 ? -7 : 3, s[1], p[0]);
}
