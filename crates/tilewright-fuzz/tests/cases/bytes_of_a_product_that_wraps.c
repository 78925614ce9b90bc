// found: a product of unsigned numbers in the size of memset was taken apart
// seed: 0:0
// options: --fork-operations 0
// memory: f32:1..9 u8:1..9
// run: 65536 65536 | 20 20 | 9 9
// run: 2 3 | 20 20 | 9 9
// run: 2147483649 1 | 20 20 | 9 9
typedef unsigned long size_t;
extern void *memset(void *, int, size_t);
void kernel(unsigned w, unsigned h, float *a, unsigned char *b)
{
#pragma scop
    memset(a, 0, w * h % 8u * sizeof(float));
    memset(a, 0, (w * h & 0xffff) * sizeof(float) * (w < 65536));
#pragma endscop
#pragma scop
    memset(b, 1, w * 2);
#pragma endscop
}
void entry(const long *s, void **p)
{
    if (s[0] * s[1] < 20 || s[0] == 65536)
        kernel(s[0] == 65536 ? 0 : s[0], s[1], p[0], p[1]);
}
