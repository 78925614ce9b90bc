// found: C compiler: error: 'buf7' undeclared: addresses of an array of a block were compared in front of the region
// seed: 5001:146
// options: --shape none --tile-sizes 4
// memory: f64:-4..5 f64:-4..5 f64:0..0
// run: 7 5 | 9 9 8 | 5 5 0
// run: 16 13 | 18 18 8 | 5 5 0
struct layer { double *b; double *c; };
void kernel(const struct layer *lay, int n, int m)
{
#pragma scop
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m - 2; j++) {
            double buf[8] = {4};
            buf[j & 7] += lay->b[j];
            lay->c[i] *= buf[j & 3] + lay->b[i];
        }
#pragma endscop
}
void entry(const long *s, void **p)
{
    struct layer lay;
    lay.b = p[0];
    lay.c = p[1];
    kernel(&lay, s[0], s[1]);
}
