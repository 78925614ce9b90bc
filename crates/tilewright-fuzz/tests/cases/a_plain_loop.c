// found: nothing: the simplest case
// seed: 0:0
// options: --shape none
// memory: i32:-4..5 u8:0..9 f64:0..0
// run: 0 | 0 1 8 | 5 9 0
// run: 9 | 9 10 8 | 5 9 0
typedef unsigned long size_t;
static int half(int x) { return x / 2; }
void kernel(int n, int *restrict a, const unsigned char *restrict b, double *restrict out)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = half(b[i + 1]) + b[i];
        s += b[i];
    }
#pragma endscop
    out[0] = s;
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2]);
}
