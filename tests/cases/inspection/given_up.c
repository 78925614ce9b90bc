// Without inspection an order that needs the largest bound is given up.
void f_init(int n, int length[restrict n], double s[restrict 40], double a[restrict 40][n]) {
    for (int i = 0; i < n; i++) {
        length[i] = i % 3 == 0 ? 0 : i == 4 ? 40 : i % 7;
        for (int j = 0; j < 40; j++)
            s[j] = a[j][i] = i + 0.25 * j;
    }
}
void f(int n, int length[restrict n], double s[restrict 40], double a[restrict 40][n]) {
    double *restrict sum = s;
    double (*restrict b)[n] = a;
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < length[i]; j++)
            sum[j] = sum[j] * 0.5 + b[j][i];
    }
#pragma endscop
}
// compile: --shape parallelogram --fuse max --tile-sizes 0 --inspect none
// code lacks: tw_j_end_most
// warned: no static bound is known
// messages lack: cannot be inspected
