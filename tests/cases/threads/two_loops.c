// Each loop for which threads are worth starting has a function; what stands between them stays.
void both(int n, int m, const double a[restrict n][m], double b[restrict n][m], double *restrict c, double *restrict s)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] > 0)
                b[i][j] = a[i][j];
    s[0] = 0;
    for (i = 0; i < n; i++)
        s[0] = s[0] / 2 + b[i][0];
    for (i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            c[i] = c[i] / 2 + a[i][j];
#pragma endscop
}
// compile:
// code contains: static __attribute__((__noinline__)) void tw_share_both_0_0(const int tw_first, const int tw_end, int n, int m, const double a[restrict n][m], double b[restrict n][m])
// code contains: static __attribute__((__noinline__)) void tw_share_both_0_2(const int tw_first, const int tw_end, int n, int m, const double a[restrict n][m], double *restrict c)
// code contains: #pragma omp parallel for if ((double)n * (double)m >= 50000) schedule(static) firstprivate(tw_count, tw_threads, n, m, a, b)
// code contains: for (long tw_part = 0; tw_part < 64; tw_part++)
// code lacks: tw_share_both_0_1
