// found: the distance of two bounds was computed in an int
// seed: 0:0
// options: --fork-operations 0
// memory: i64:0..9
// run: -2000000000 2000000000 | 70000 | 9
// run: -5 70000 | 70000 | 9
// run: 2147000000 2147400000 | 70000 | 9
void kernel(int lo, int hi, long *a)
{
    long k = 0;
#pragma scop
    for (int i = lo; i < hi; i += 65536) {
        a[k] = i;
        k++;
    }
#pragma endscop
    a[69999] = k;
}
void entry(const long *s, void **p)
{
    kernel(s[0], s[1], p[0]);
}
