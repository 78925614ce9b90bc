/* Sparse matrices by compressed rows. */
#include "data.h"

struct csr {
    int rows, cols;
    int *start;   /* rows + 1 of them */
    int *col;
    double *val;
};

void csr_times(const struct csr *m, const double *x, double *y)
{
#pragma scop
    for (int r = 0; r < m->rows; r++) {
        double sum = 0;
        for (int k = m->start[r]; k < m->start[r + 1]; k++)
            sum += m->val[k] * x[m->col[k]];
        y[r] = sum;
    }
#pragma endscop
}

/* y += transpose(m) * x */
void csr_transposed_times(const struct csr *m, const double *x, double *y)
{
#pragma scop
    for (int r = 0; r < m->rows; r++) {
        if (x[r] == 0.0)
            continue;
        for (int k = m->start[r]; k < m->start[r + 1]; k++)
            y[m->col[k]] += m->val[k] * x[r];
    }
#pragma endscop
}

void csr_transpose(const struct csr *m, struct csr *t)
{
    t->rows = m->cols;
    t->cols = m->rows;
#pragma scop
    for (int i = 0; i <= m->cols; i++)
        t->start[i] = 0;
    for (int k = 0; k < m->start[m->rows]; k++)
        t->start[m->col[k] + 1]++;
    for (int i = 0; i < m->cols; i++)
        t->start[i + 1] += t->start[i];
    for (int r = 0; r < m->rows; r++) {
        for (int k = m->start[r]; k < m->start[r + 1]; k++) {
            int dest = t->start[m->col[k]]++;
            t->col[dest] = r;
            t->val[dest] = m->val[k];
        }
    }
    for (int i = m->cols; i > 0; i--)
        t->start[i] = t->start[i - 1];
    t->start[0] = 0;
#pragma endscop
}

/* One sweep of Gauss-Seidel; rows without a diagonal are left alone. */
void csr_gauss_seidel(const struct csr *m, const double *b, double *x)
{
#pragma scop
    for (int r = 0; r < m->rows; r++) {
        double sum = b[r], diag = 0;
        for (int k = m->start[r]; k < m->start[r + 1]; k++) {
            int c = m->col[k];
            if (c == r)
                diag = m->val[k];
            else
                sum -= m->val[k] * x[c];
        }
        if (diag != 0)
            x[r] = sum / diag;
    }
#pragma endscop
}

int main(void)
{
    DATA_EACH(n) {
        struct csr m = {n, n, data_ints(n + 1, 1), data_ints(4 * n, n), data_doubles(4 * n)};
        struct csr t = {0, 0, data_ints(n + 1, 1), data_ints(4 * n, n), data_doubles(4 * n)};
        int *extra = data_ints(n, 5);
        m.start[0] = 0;
        for (int i = 0; i < n; i++)
            m.start[i + 1] = m.start[i] + extra[i];
        double *x = data_doubles(n), *y = data_doubles(n);
        csr_times(&m, x, y);
        data_show("times", n, y, n * sizeof *y);
        csr_transposed_times(&m, x, y);
        data_show("transposed", n, y, n * sizeof *y);
        csr_transpose(&m, &t);
        data_show("transpose", n, t.col, m.start[n] * sizeof(int));
        data_show("transpose", n, t.start, (n + 1) * sizeof(int));
        csr_gauss_seidel(&t, y, x);
        data_show("seidel", n, x, n * sizeof *x);
    }
}
