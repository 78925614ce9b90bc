// found: crash run 0 in the result: signal 4
// seed: 9002:1066
// options: --tile-sizes 8,0 --overlap 0
// memory: i32:-1000..1000 i32:-1000..1000 f64:0..0
// run: 0 | 1 1 8 | 1000 1000 0
// run: 1 | 3 2 8 | 1000 1000 0
// run: 2 | 8 6 8 | 1000 1000 0
// run: 5 | 35 30 8 | 1000 1000 0
// run: 9 | 99 90 8 | 1000 1000 0
// run: 23 | 575 552 8 | 1000 1000 0
typedef unsigned long size_t;
void kernel(size_t n, int a[restrict n][n + 2], int c[restrict n][n + 1], double *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += (long)(c[j > 0 ? j - 1 : 0][j] % 100);
            a[i][j] = sum;
        }
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2]);
}
