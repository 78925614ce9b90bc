/* Functions that get rows of matrices which are arrays of pointers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct m { int r, c; float **v; };
struct d { float *p; int n; };
static void axpy(double *y, const double *x, double s, int n) { for (int i = 0; i < n; i++) y[i] += s * x[i]; }
static double dot(const double *x, const double *y, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; return s; }
static void put(float *x, int n, float v) { for (int i = 0; i < n; i++) x[i] = v + i; }
static void tab(double **a, int i, int n) { double *r = a[i]; for (int j = 0; j < n; j++) r[j] *= 2; }
void rows(double **a, double **b, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        axpy(a[i], b[i], 0.5 + i, m);
    for (int i = 0; i < n; i++)
        tab(a, i, m);
    for (int i = 0; i < n; i++) {
        double *row = a[i];
        const double *other = b[n - 1 - i];
        for (int j = 0; j < m; j++)
            row[j] += other[j];
    }
#pragma endscop
}
void gram(double **g, double **a, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            g[i][k] = dot(a[i], a[k], m);
#pragma endscop
}
void lu(double **a, int n)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            axpy(a[i] + k + 1, a[k] + k + 1, -a[i][k], n - k - 1);
        }
#pragma endscop
}
void all(struct m *x, struct d *e, int k)
{
#pragma scop
    for (int i = 0; i < x->r; i++)
        put(x->v[i], x->c, i * 2.5f);
    for (int i = 0; i < k; i++)
        put(e[i].p, 7, i);
#pragma endscop
}
void clear(double **a, double **b, int n, int m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        memset(a[i], 0, m * sizeof(double));
    for (int i = 0; i < n; i++)
        memcpy(b[i], a[n - 1 - i], m * sizeof *b[i]);
#pragma endscop
}
int main(void)
{
    int n = 30, m = 40;
    double **a = malloc(n * sizeof *a), **b = malloc(n * sizeof *b), **g = malloc(n * sizeof *g);
    for (int i = 0; i < n; i++) { a[i] = malloc(m * 8); b[i] = malloc(m * 8); g[i] = malloc(m * 8); for (int j = 0; j < m; j++) a[i][j] = i * j % 7 + (i == j) * 50, b[i][j] = i + j, g[i][j] = 0; }
    rows(a, b, n, m); gram(g, a, n, m); lu(a, n);
    double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j] * (j % 5) + b[i][j] + g[i][j] * (i % 3); printf("%.17g\n", s);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { a[i][j] = i * j % 7; b[i][j] = i + j; }
    double *k = a[3]; a[3] = a[4]; rows(a, b, n, m); rows(a, a, n, m);
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s += a[i][j] * (j % 5); a[i][j] = (i + j) % 7 * 0.125; }
    printf("%.17g\n", s); s = 0;
    gram(a, a, 5, 7); gram(g, a, n, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) g[i][j] = i == j ? 100 + i : (i * j) % 9;
    double *own = g[2]; g[2] = g[1];
    lu(g, n - 1); a[3] = k; g[2] = own;
    printf("%d\n", g[n - 2][n - 2] != g[n - 2][n - 2]); s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) g[i][j] = i;
    for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j] * (j % 5) + b[i][j] + g[i][j] * (i % 3); printf("%.17g\n", s);
    clear(a, b, n, m); s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j] * (j % 5) + b[i][j] + g[i][j] * (i % 3); printf("%.17g\n", s);
    struct m x = { 5, 6, malloc(5 * sizeof(float *)) }; for (int i = 0; i < 5; i++) x.v[i] = malloc(24); struct d e[4]; for (int i = 0; i < 4; i++) e[i].p = malloc(28);
    all(&x, e, 4); float q = 0; for (int i = 0; i < 5; i++) for (int j = 0; j < 6; j++) q += x.v[i][j] * j; for (int i = 0; i < 4; i++) for (int j = 0; j < 7; j++) q += e[i].p[j] * j; printf("%g\n", q);
    return 0;
}
