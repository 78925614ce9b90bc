// found: differs run 0 memory 0 element 0: 0 became 195
// seed: 56002:389
// options: --tile-sizes 4 --inline pointwise
// memory: u8:0..255 u8:0..255 u8:0..255
// run: 9 | 9 9 9 | 255 255 255
// run: 21 | 21 21 21 | 255 255 255
// run: 0 | 0 0 0 | 255 255 255
extern void *malloc(unsigned long), free(void *);
void kernel(int n, unsigned char *a, unsigned char *b, unsigned char *c)
{
    unsigned char *of[2] = {a, b};
#pragma scop
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < n; i++)
            of[j][i] = 7 * i + j;
    for (int i = 0; i < n; i++)
        c[i] += 1;
#pragma endscop
}
void kernel_b(int n, unsigned char *a, unsigned char *b, unsigned char *c)
{
    unsigned char **of = malloc(2 * sizeof *of);
    of[0] = a;
    of[1] = b;
#pragma scop
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < n; i++)
            of[j][i] ^= 5 * i + j;
    for (int i = 0; i < n; i++)
        c[i] += 1;
#pragma endscop
    free(of);
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2]);
    kernel_b(s[0], p[0], p[1], p[2]);
}
