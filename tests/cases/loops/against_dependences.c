// An order that no permission allows says nothing of one.
void f(int n, double a[restrict n][n]) {
#pragma scop
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            a[i][j] = a[i - 1][j + 1] * 0.5;
#pragma endscop
}
// compile: --loops interchange:i,j --reassociate
// refused: TW0402
// messages lack: allow
