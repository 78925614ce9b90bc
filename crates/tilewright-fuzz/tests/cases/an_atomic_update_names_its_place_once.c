// found: C compiler: with checks of divisions gcc does not see that both places of `a[i % n] = a[i % n] + 1` are one
// seed: 17001:1185
// options: --reductions atomic
// memory: u32:0..1000 i32:-1000..1000
// run: 1 | 1 1 | 1000 1000
// run: 5 | 5 5 | 1000 1000
// run: 40 | 40 40 | 1000 1000
typedef unsigned long size_t;
void kernel(unsigned n, unsigned *restrict a, const int *restrict b)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        ++a[(i * 7 + 4) % n];
#pragma endscop
#pragma scop
    for (unsigned i = 0; i < n; i++)
        a[(unsigned)b[i] % n] -= b[i];
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1]);
}
