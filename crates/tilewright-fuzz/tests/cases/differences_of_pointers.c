// found: the difference of two pointers was asked for as if it were a pointer that may be null
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: f32:-4..5 i32:0..9 i32:0..9
// run: 12 | 20 12 12 | 4 9 9
// run: 1 | 20 1 1 | 4 9 9
// run: 30 | 40 30 30 | 4 9 9
void kernel(int n, const float *p, const float *q, int *restrict r, const int *restrict w)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        if (p - q) r[i] += 1;
        else r[i] += 10;
    }
    for (int i = 0; i < n; i++) {
        if (p - q == 0) r[i] += 100;
        r[i] += !(p - q) ? 1000 : 5;
        r[i] -= w ? w[i] : 3;
        if (!(p + 2)) r[i] = 0;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[0], p[1], p[2]);
    kernel(s[0], p[0], (float *)p[0] + 2, p[1], 0);
}
