// found: a name that one case of a switch declares hid another in the next one; labels of another type than the value
// seed: 0:0
// options: --fuse max --tile-sizes 4 --fork-operations 0
// memory: i32:-9..9 u32:0..5 i32:0..9
// run: 12 | 12 12 12 | 9 5 9
// run: 1 | 1 1 1 | 9 5 9
// run: 30 | 30 30 30 | 9 5 9
void kernel(int n, int *restrict a, const unsigned *restrict b, int *restrict out)
{
    int t = 10, last = 3;
#pragma scop
    for (int i = 0; i < n; i++) {
        switch (b[i]) {
        case 0: { int t = 5; a[i] += t + i; break; }
        case 1: { a[i] -= t * 2; break; }
        case 2: { typedef long t; a[i] = (t)i << 3; break; }
        default: a[i] ^= t + 100; break;
        }
        switch (b[i] + 4294967290u) { case -5: a[i] += 7; break; case -4 ... -2: a[i] -= 3; }
        switch (a[i] & 7) { case 1L: out[i] = 1; break; case 2u: out[i] = 2; break; default: out[i] = last; }
        switch (a[i] & 3) { case 0: ; int s; s = 5; out[i] += s; break; case 1: s = 7 + i; out[i] ^= s; }
        last = a[i] & 15;
    }
#pragma endscop
    switch (n & 1) { case 0: { int last = 4; out[0] += last; break; } default: { out[0] -= last; break; } }
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1], p[2]);
}
