// found: statements without a model beside loops that have one, in every place where C allows one
// seed: 0:0
// options: --fuse max --fork-operations 0 --tile-sizes 4
// memory: i32:-9..9 i32:-9..9 f64:-4..4 i32:0..0
// run: 11 7 0 | 11 11 64 1 | 9 9 4 0
// run: 11 7 1 | 11 11 64 1 | 9 9 4 0
// run: 5 9 2 | 5 5 64 1 | 9 9 4 0
// run: 1 1 4 | 1 1 64 1 | 9 9 4 0
// run: 8 3 5 | 8 8 64 1 | 9 9 4 0
#define N 8
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define SETUP int s0 = 0; for (int q = 0; q < 8; q++) s0 += q;
static unsigned ticks;
static void tick(int k) { ticks = ticks * 31 + (unsigned)k; if (k > 9999) tick(k - 1); }
int f(int n, int m, int *restrict a, const int *restrict b, double x[restrict N][N], int mode)
{
    int total = 0;
#pragma scop
    tick(1); for (int i = 0; i < n; i++) a[i] += b[i]; tick(2);
    if (mode > 3) for (int i = 0; i < n; i++) a[i] = b[n - 1 - i] * 3; else tick(4);
    if (mode == 1) tick(3);
    else for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i % N][j % N] += i * j;
    switch (mode) {
    case 0: for (int i = 0; i < N; i++) x[i][0] = 0; break;
    case 1: {for(int i=0;i<N;i++){for(int j=0;j<N;j++)x[i][j]*=2;}}
    default:
        for (int j = 0; j < N; j++) // from outside
            for (int i = 0; i < N; i++) /* to inside */
                x[j][i] = x[j][i] + 1.5; /* behind */ tick(9);
    }
    EACH(i, n) {
        tick(i & 7);
        EACH(j, m)
            a[i] = (a[i] + j) & 1023;
        for (int j = 0; j < m; j++) a[i] -= b[j % n];
    }
    SETUP for (int i = 0; i < n; i++) a[i] ^= 3; total += s0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] |= 1;
    do { for (int i = 0; i < n; i++) total += a[i] & 15; tick(total & 7); } while (total < 100 && total > 0);
    while (total > 60) { total /= 2; for (int i = 0; i < n; i++) a[i] += total; tick(total & 3); }
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int j = 0; j < N; j++)
            most = x[i % N][j] > most ? x[i % N][j] : most;
        if (most > 50)
            goto out;
        for (int j = 0; j < N; j++)
            x[i % N][j] -= most * 0.5;
    }
out:
    tick(3);
#pragma endscop
    return total;
}
void entry(const long *s, void **p)
{
    ticks = 0;
    int total = f(s[0], s[1], p[0], p[1], p[2], s[2]);
    *(int *)p[3] = (int)(ticks % 1000) * 7 + total % 1000;
}
