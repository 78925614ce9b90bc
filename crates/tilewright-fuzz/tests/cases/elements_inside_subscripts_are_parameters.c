// found: `g[8]`, a parameter where nothing writes `g`, was not known as one inside of a subscript
// seed: 68001:279
// options: 
// memory: i32:0..31 u8:0..255
// run: 0 | 32 1024 | 31 255
// run: 1 | 32 1024 | 31 255
// run: 32 | 32 1024 | 31 255
void kernel(int n, const int *restrict g, unsigned char c[restrict 32][32])
{
#pragma scop
    for (int i = 0; i < n; i++)
        c[i][0] ^= c[i][g[g[8] & 31] & c[(i + 16) & 31][i] & 31] ^ i;
#pragma endscop
}
void entry(const long *s, void **p)
{
    kernel(s[0], p[0], p[1]);
}
