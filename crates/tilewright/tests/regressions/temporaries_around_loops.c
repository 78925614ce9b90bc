// arguments: 19 int:361 int:361 int:19
// choices: tile-sizes=4,4
void kernel(int n, const int a[restrict n][n], int b[restrict n][n], int c[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int t = a[i][0];
        int u = t + i;
        unsigned s = u;
        for (int j = 0; j < n; j++) {
            int v = u + j;
            int w = v * a[i][j] + t;
            b[i][j] = w - v;
            if (a[i][j] > 3) {
                int x = w + 1;
                int y = x * x;
                s = s + y;
            }
        }
        int z = s;
        int last = z + t;
        c[i] = last;
    }
#pragma endscop
}
