// arguments: 37 int:37 int:74
// choices: tile-sizes=8 inline=0,1
void kernel(int n, int out[restrict n], const int in[restrict 2 * n])
{
    unsigned char (*a) = malloc(2 * n);
    short (*b) = malloc(sizeof(short[n]));
#pragma scop
    for (int i = 0; i < 2 * n; i++)
        a[i] = in[i] * 7 + 3 * i;
    for (int i = 0; i < n; i++)
        b[i] = a[2 * i + 1] * 300 - a[2 * i] + i;
    for (int i = 1; i < n; i++)
        out[i] = b[i] + 2 * b[i - 1] + a[2 * n - 1 - i] / 2;
#pragma endscop
    free(b);
    free(a);
}
