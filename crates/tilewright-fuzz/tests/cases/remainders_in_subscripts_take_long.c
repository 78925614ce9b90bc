// found: hang: the model takes 16 s and is given up; behind it extents of arguments take minutes
// seed: 15001:587
// options: 
// memory: f64:-4..5 f64:-4..5 f32:-4..5
// run: 0 0 | 32 2 1 | 5 5 5
// run: 1 1 | 32 2 2 | 5 5 5
// run: 2 5 | 32 3 12 | 5 5 5
// run: 7 3 | 32 8 28 | 5 5 5
// run: 16 8 | 32 17 144 | 5 5 5
// run: 24 24 | 32 25 600 | 5 5 5
// run: 9 100 | 32 10 909 | 5 5 5
typedef unsigned long size_t;
void kernel(short n, unsigned m, double *a, double *b, float d[n][m + 1])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        double t = *(b + (i + 4) % n) - *(b + (i + 1) % n);
        a[~(int)m % 97 * (2 & 15) & 31] = t;
    }
#pragma endscop
#pragma scop
    for (int i = 1; i < n; i++) {
        a[m % 97 * 2 & 31] = i;
        d[i][m] = i;
    }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0], p[1], p[2]);
}
