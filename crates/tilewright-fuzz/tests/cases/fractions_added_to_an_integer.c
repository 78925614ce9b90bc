// found: a step by a floating-point number was converted first
// seed: 0:0
// options: --fork-operations 0
// memory: i32:0..9 f32:-3..3
// run: -5 10 | 20 4 | 9 3
// run: 20000001 10 | 20 4 | 9 3
static int kernel(int n, int m, float f, int *a)
{
    int k;
#pragma scop
    k = n;
    k += f + 0.5f;
    for (int i = 0; i < m; i++)
        a[i] = k + i;
#pragma endscop
    return k;
}
void entry(const long *s, void **p)
{
    int *a = p[0];
    a[19] = kernel(s[0], s[1], *(float *)p[1], a);
}
