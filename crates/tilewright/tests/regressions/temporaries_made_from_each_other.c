// arguments: 37 int:37 int:37 int:37
// choices: fuse=Max
void kernel(int n, const int a[restrict n], int b[restrict n], int c[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i];
        int u = t * 2;
        b[i] = u;
    }
    for (int i = 0; i < n; i++) {
        int t = a[i];
        int u = t * 2;
        long v = u + i;
        const int w = (int)(v - t);
        int x = w + (i > 3 ? u : t);
        c[i] = x;
    }
#pragma endscop
}
