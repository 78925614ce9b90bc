/* Factorisations of matrices that lie flat in memory, row after row. */
#include "data.h"
#include <math.h>

#define A(i, j) a[(i) * n + (j)]
#define L(i, j) l[(i) * n + (j)]

int cholesky(const double *a, double *l, int n)
{
    memset(l, 0, n * n * sizeof *l);
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A(i, j);
            for (int k = 0; k < j; k++)
                sum -= L(i, k) * L(j, k);
            if (i == j) {
                if (sum <= 0)
                    return -1;
                L(i, i) = sqrt(sum);
            } else {
                L(i, j) = sum / L(j, j);
            }
        }
    }
#pragma endscop
    return 0;
}

/* Modified Gram-Schmidt on the columns of an m by n matrix; r is n by n. */
void gram_schmidt(double *q, double *r, int m, int n)
{
#pragma scop
    for (int k = 0; k < n; k++) {
        double norm = 0;
        for (int i = 0; i < m; i++)
            norm += q[i * n + k] * q[i * n + k];
        norm = sqrt(norm);
        r[k * n + k] = norm;
        for (int i = 0; i < m; i++)
            q[i * n + k] /= norm;
        for (int j = k + 1; j < n; j++) {
            double dot = 0;
            for (int i = 0; i < m; i++)
                dot += q[i * n + k] * q[i * n + j];
            r[k * n + j] = dot;
            for (int i = 0; i < m; i++)
                q[i * n + j] -= dot * q[i * n + k];
        }
    }
#pragma endscop
}

/* Cyclic Jacobi on a symmetric matrix. Returns the number of sweeps. */
int jacobi_eigen(double *a, int n, int max_sweeps)
{
    int sweep;
#pragma scop
    for (sweep = 0; sweep < max_sweeps; sweep++) {
        double off = 0;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                off += A(p, q) * A(p, q);
        if (off < 1e-10)
            break;
        for (int p = 0; p < n - 1; p++) {
            for (int q = p + 1; q < n; q++) {
                if (A(p, q) == 0.0)
                    continue;
                double theta = (A(q, q) - A(p, p)) / (2 * A(p, q));
                double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < n; k++) {
                    double akp = A(k, p), akq = A(k, q);
                    A(k, p) = c * akp - s * akq;
                    A(k, q) = s * akp + c * akq;
                }
                for (int k = 0; k < n; k++) {
                    double apk = A(p, k), aqk = A(q, k);
                    A(p, k) = c * apk - s * aqk;
                    A(q, k) = s * apk + c * aqk;
                }
            }
        }
    }
#pragma endscop
    return sweep;
}

int main(void)
{
    DATA_EACH(m) {
        int n = m > 40 ? 24 : m;
        double *a = data_doubles(n * n), *l = data_doubles(n * n);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                A(i, j) = A(j, i) = i == j ? n + A(i, j) : A(i, j);
        int bad = cholesky(a, l, n);
        data_show("cholesky", bad, l, n * n * sizeof *l);
        int sweeps = jacobi_eigen(a, n, 6);
        data_show("jacobi", sweeps, a, n * n * sizeof *a);
        double *q = data_doubles((n + 3) * n);
        for (int i = 0; i < n * n; i++)
            l[i] = 0;
        gram_schmidt(q, l, n + 3, n);
        data_show("q", n, q, (n + 3) * n * sizeof *q);
        data_show("r", n, l, n * n * sizeof *l);
        l[0] = -1;
        if (n > 0)
            data_show("not definite", cholesky(l, a, n), a, n * n * sizeof *a);
    }
}
