// found: a function of the file was taken to give fresh memory
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: f32:-3..3
// run: 10 | 40 | 3
// run: 0 | 40 | 3
static float pool[1000];
static float *valloc(int n)
{
    return pool + n % 2;
}
static void kernel(int n, float *restrict c)
{
    float *a = valloc(n);
    float *b = valloc(n);
#pragma scop
    for (int i = 0; i < n - 1; i++)
        a[i + 1] = b[i] + 1;
    for (int i = 0; i < n - 1; i++)
        c[i] = a[i + 1] + b[i];
#pragma endscop
}
void entry(const long *s, void **p)
{
    for (int i = 0; i < 1000; i++)
        pool[i] = 0;
    kernel(s[0], p[0]);
}
