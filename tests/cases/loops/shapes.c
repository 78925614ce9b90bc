// Shapes that orders by the names of loops can have.
void f(int n, int m, double a[restrict n][m], double x[restrict m], double y[restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
    }
#pragma endscop
}
// compile: --loops interchange:i,j --shape scalene
// refused: shapes with it: `none`, `parallelogram`
