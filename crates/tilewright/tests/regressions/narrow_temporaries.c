// arguments: 250 int:256 int:250 int:250
// choices: 
void kernel(int n, const int a[restrict 256], int b[restrict n], int c[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        unsigned char t = i * 3;
        int u = t + 1;
        b[i] = a[t] + u;
        short q = i * 300;
        int r = q;
        c[i] = r;
    }
#pragma endscop
}
