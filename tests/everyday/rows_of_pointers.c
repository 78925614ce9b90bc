/* Matrices and images as arrays of pointers to rows, and what points at what it should not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct det { int n; float *prob; float *mask; };
typedef struct { int rows, cols; float **vals; } matrix;

double **alloc2(int n, int m) { double **a = malloc(n * sizeof *a); for (int i = 0; i < n; i++) a[i] = calloc(m, sizeof **a); return a; }

void matmul(double **c, double **a, double **b, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
#pragma endscop
}
void jacobi(double **u, double **v, int n, int m, int steps)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i][j] = v[i][j];
    }
#pragma endscop
}
void scale(matrix m, float f)
{
#pragma scop
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.cols; j++)
            m.vals[i][j] *= f;
#pragma endscop
}
void scalep(matrix *m, float f, const float *w)
{
#pragma scop
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->cols; j++)
            m->vals[i][j] *= f * w[j];
#pragma endscop
}
void thresholds(struct det *d, int n, int classes, float t)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < classes; j++)
            if (d[i].prob[j] < t)
                d[i].prob[j] = 0;
            else
                d[i].mask[j] = d[i].prob[j];
#pragma endscop
}
void bytes(unsigned char **out, unsigned char **in, int h, int w)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[y][x] = 255 - in[y][x];
#pragma endscop
}
void planes(float *p[3], float *rgb, int n)
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            p[c][i] = rgb[3 * i + c];
#pragma endscop
}
void planar(float **p, int w, int h)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            p[0][y * w + x] = p[1][y * w + x] * 0.5f + p[2][y * w + x];
#pragma endscop
}
int main(void)
{
    int n = 37;
    double **a = alloc2(n, n), **b = alloc2(n, n), **c = alloc2(n, n);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = i * 3 % 7 + j; b[i][j] = i - j % 5; }
    matmul(c, a, b, n);
    double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += c[i][j] * ((i + j) % 3); printf("%.17g\n", s);
    /* rows shared */
    double *keep = c[3]; c[3] = c[5]; matmul(c, a, b, n); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += c[i][j] * ((i + j) % 3); printf("%.17g\n", s); c[3] = keep;
    /* permuted */
    keep = c[3]; c[3] = c[5]; c[5] = keep; matmul(c, a, b, n); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += c[i][j] * ((i + j) % 3); printf("%.17g\n", s);
    /* reversed */
    for (int i = 0; i < n / 2; i++) { keep = a[i]; a[i] = a[n - 1 - i]; a[n - 1 - i] = keep; }
    jacobi(a, b, n, n, 5); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * ((i + j) % 3); printf("%.17g\n", s);
    jacobi(a, a, n, n, 5); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * ((i + j) % 3); printf("%.17g\n", s);
    /* b's row inside of a's rows, by 1 element */
    keep = b[7]; b[7] = a[9] - 1 + 2; jacobi(a, b, n, n - 2, 5); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j] * ((i + j) % 3); printf("%.17g\n", s); b[7] = keep;
    matmul(c, c, b, n); for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += c[i][j] * ((i + j) % 3); printf("%.17g\n", s);
    jacobi(a, b, 0, 0, 5); jacobi(a, b, 1, 9, 5); jacobi(NULL, NULL, 0, 3, 2);
    matrix m = { 9, 11, malloc(9 * sizeof(float *)) };
    for (int i = 0; i < 9; i++) { m.vals[i] = malloc(11 * 4); for (int j = 0; j < 11; j++) m.vals[i][j] = i * 11 + j; }
    scale(m, 1.5f); scalep(&m, 0.5f, m.vals[8]); m.rows = 5; scalep(&m, 0.5f, m.vals[8]); scalep(&m, 0.25f, (float *)m.vals[3]);
    float q = 0; for (int i = 0; i < 9; i++) for (int j = 0; j < 11; j++) q += m.vals[i][j] * (j + i); printf("%.9g\n", q);
    q = 0;
    struct det *d = malloc(20 * sizeof *d);
    for (int i = 0; i < 20; i++) { d[i].prob = malloc(8 * 4); d[i].mask = calloc(8, 4); for (int j = 0; j < 8; j++) d[i].prob[j] = (i * 7 + j * 3) % 11 / 11.f; }
    thresholds(d, 20, 8, 0.4f);
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) q += d[i].prob[j] * (j + i) + d[i].mask[j]; printf("%.9g\n", q);
    d[4].mask = d[5].prob + 1; thresholds(d, 20, 7, 0.6f);
    for (int i = 0; i < 20; i++) for (int j = 0; j < 8; j++) q += d[i].prob[j] * (j + i) + d[i].mask[j % 7]; printf("%.9g\n", q);
    unsigned char *ip[16], *op[16], *blk = malloc(16 * 40);
    for (int i = 0; i < 16 * 40; i++) blk[i] = i * 7;
    for (int y = 0; y < 16; y++) ip[y] = blk + 20 * y, op[y] = blk + 320 + 20 * y;
    bytes(op, ip, 16, 20); unsigned h = 0; for (int i = 0; i < 640; i++) h = h * 31 + blk[i];
    for (int y = 0; y < 16; y++) op[y] = blk + 20 * y + 1;
    bytes(op, ip, 16, 20); for (int i = 0; i < 640; i++) h = h * 31 + blk[i]; printf("%u\n", h);
    /* The first row is the second pointer, and makes it point elsewhere. */
    unsigned char *table[2], *target = blk + 400, from[2][8], *rows_from[2] = {from[0], from[1]};
    table[0] = (unsigned char *)&table[1];
    table[1] = blk;
    memcpy(from[0], &target, 8);
    for (int i = 0; i < 8; i++) {
        from[0][i] = 255 - from[0][i];
        from[1][i] = i;
    }
    bytes(table, rows_from, 2, 8);
    for (int i = 0; i < 640; i++)
        h = h * 31 + blk[i];
    printf("%u %d\n", h, table[1] == target);
    float *pl[3], *rgb = malloc(60 * 4); for (int c2 = 0; c2 < 3; c2++) pl[c2] = malloc(20 * 4); for (int i = 0; i < 60; i++) rgb[i] = i;
    planes(pl, rgb, 20); for (int c2 = 0; c2 < 3; c2++) for (int i = 0; i < 20; i++) q += pl[c2][i] * (i + c2); printf("%.9g\n", q);
    planar(pl, 5, 4); for (int c2 = 0; c2 < 3; c2++) for (int i = 0; i < 20; i++) q += pl[c2][i] * (i + c2); printf("%.9g\n", q);
    pl[1] = pl[0] + 1; planar(pl, 5, 3); for (int c2 = 0; c2 < 3; c2++) for (int i = 0; i < 15; i++) q += pl[c2][i] * (i + c2); printf("%.9g\n", q);
    return 0;
}
