// found: the byte of memset was evaluated anew for each element
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: u8:1..9
// run: 6 3 | 20 | 9
// run: 0 3 | 20 | 9
typedef unsigned long size_t;
extern void *memset(void *, int, size_t);
void kernel(unsigned char *a, int n, int t)
{
#pragma scop
    memset(a, a[0] + t, n);
    memset(a + 1, a[n], a[0] & 3);
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(p[0], s[0], s[1]);
}
