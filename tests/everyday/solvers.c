/* Solvers that multiply by a sparse matrix in every iteration: what its index arrays hold is looked up
 * once where it stays, and anew where it may change. */
#include "data.h"

typedef struct {
    int n;
    int *first, *column;
    double *value;
} sparse;

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Conjugate gradients; how many iterations there were. */
int gradients(const sparse *a, const double *b, double *x, double *work, int most)
{
    int n = a->n, it;
    double *r = work, *p = r + n, *q = p + n, rho, alpha;
#pragma scop
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
    rho = dot(r, r, n);
    for (it = 0; it < most; it++) {
        if (rho < 1e-12)
            break;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = a->first[i]; k < a->first[i + 1]; k++)
                sum += a->value[k] * p[a->column[k]];
            q[i] = sum;
        }
        alpha = rho / dot(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double before = rho;
        rho = dot(r, r, n);
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rho / before * p[i];
    }
#pragma endscop
    return it;
}

/* The last column moves on in each iteration, and comes to what is written. */
void moving(const int *first, int *column, double *x, double *y, int n, int most)
{
    int it = 0;
#pragma scop
again:
    for (it = 0; it < most; it++) {
        if (x[0] > 1e6)
            break;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = first[i]; k < first[i + 1]; k++)
                sum += x[column[k]];
            y[i] = sum * 0.25;
        }
        column[first[n] - 1] += 1;
    }
#pragma endscop
    if (it < 0)
        goto again;
}

enum { N = 700 };

int main(void)
{
    sparse a = {N, data_ints(N + 1, 2), data_ints(3 * N, N), data_doubles(3 * N)};
    double *b = data_doubles(N), *x = data_doubles(3 * N), *work = data_doubles(3 * N);
    int k = 0;
    for (int i = 0; i < N; i++) {
        a.first[i] = k;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < N; j++, k++) {
            a.column[k] = j;
            a.value[k] = i == j ? 2.5 : -1;
        }
    }
    a.first[N] = k;
    for (int n = 0; n <= N; n += n < 2 ? 1 : 349) {
        a.n = n;
        /* Rows up to there have columns up to there. */
        int last = n > 0 && n < N ? a.column[a.first[n] - 1] : 0;
        if (n > 0 && n < N)
            a.column[a.first[n] - 1] = n - 1;
        int turns = gradients(&a, b, x, work, 12);
        data_show("gradients", n, x, 3 * N * sizeof *x);
        data_show("turns", n, &turns, sizeof turns);
        if (n > 0 && n < N)
            a.column[a.first[n] - 1] = last;
    }
    for (int n = 1; n < N; n += 233) {
        moving(a.first, a.column, x, x + n + 1, n, 5);
        data_show("moving", n, x, 3 * N * sizeof *x);
    }
    return 0;
}
