// found: a quotient of floats was taken to be exact
// seed: 0:0
// options: --fork-operations 0
// memory: u8:0..9
// run: 16777217 | 8400000 | 9
// run: 11 | 8400000 | 9
extern double ceil(double);
void kernel(int n, unsigned char *a)
{
#pragma scop
    for (int i = 0; i < (int)ceil((float)n / (float)2); i++)
        a[i] += 1;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0]);
}
