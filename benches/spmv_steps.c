/* y = A x, A sparse in compressed rows, several times: what a matrix is packed for
 * once (`cargo bench --bench spmv -- --packing`). */
void spmv_steps(int steps, int n, int m, int nnz, int row[restrict n + 1], int col[restrict nnz],
                double val[restrict nnz], double x[restrict m], double y[restrict n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            for (int j = row[i]; j < row[i + 1]; j++)
                sum += val[j] * x[col[j]];
            y[i] = sum;
        }
#pragma endscop
}
