#include <stdio.h>
#include <string.h>
struct cell { float f[9]; int flags; unsigned char tag[4]; };
struct row { struct cell c[20]; double w; };
typedef struct { double m[4][4]; } mat4;
typedef struct { int n; struct { short a[8]; int k; } in[6]; } deep;
static struct cell grid[2][16][16];
static struct row rows[12];

void collide(struct cell *g, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float rho = 0;
        for (int k = 0; k < 9; k++)
            rho += g[i].f[k];
        for (int k = 0; k < 9; k++)
            g[i].f[k] += 0.25f * (rho / 9 - g[i].f[k]);
        g[i].flags++;
    }
#pragma endscop
}
void stream(int t)
{
#pragma scop
    for (int s = 0; s < t; s++)
        for (int i = 1; i < 15; i++)
            for (int j = 1; j < 15; j++)
                for (int k = 0; k < 9; k++)
                    grid[(s + 1) % 2][i][j].f[k] = 0.5f * (grid[s % 2][i - 1 + k / 3][j - 1 + k % 3].f[k] + grid[s % 2][i][j].f[8 - k]);
#pragma endscop
}
void mul(mat4 *out, const mat4 *a, const mat4 *b, int n)
{
#pragma scop
    for (int q = 0; q < n; q++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                out[q].m[i][j] = 0;
                for (int k = 0; k < 4; k++)
                    out[q].m[i][j] += a[q].m[i][k] * b[q].m[k][j];
            }
#pragma endscop
}
void weigh(void)
{
#pragma scop
    for (int i = 0; i < 12; i++) {
        rows[i].w = 0;
        for (int j = 0; j < 20; j++)
            for (int k = 0; k < 4; k++)
                rows[i].w += rows[i].c[j].tag[k] * rows[i].c[j].f[k];
    }
#pragma endscop
}
int deepen(deep *d, int n)
{
    int s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < 8; k++) {
                d[i].in[j].a[k] += k + j;
                d[i].in[j].k += d[i].in[j].a[k];
                s += d[i].in[j].k;
            }
#pragma endscop
    return s;
}
void shift(struct cell *c, int n)
{
#pragma scop
    for (int i = n - 1; i > 0; i--)
        c[i] = c[i - 1];
#pragma endscop
}
void blur(struct cell *c, int n)
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        struct cell t = c[i - 1];
        for (int k = 0; k < 9; k++)
            t.f[k] = (t.f[k] + c[i].f[k] + c[i + 1].f[k]) / 3;
        c[i] = t;
    }
#pragma endscop
}
#define N 40
static struct cell cs[N]; static mat4 A[N], B[N], C[N]; static deep D[N];
int main(void)
{
    unsigned x = 1;
    #define R (x = x * 1664525u + 1013904223u, (x >> 16) % 100)
    for (int i = 0; i < N; i++) { for (int k = 0; k < 9; k++) cs[i].f[k] = R; for (int k = 0; k < 4; k++) cs[i].tag[k] = R;
        for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) A[i].m[a][b] = R, B[i].m[a][b] = R;
        for (int a = 0; a < 6; a++) for (int b = 0; b < 8; b++) D[i].in[a].a[b] = R; }
    for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) for (int k = 0; k < 9; k++) grid[0][i][j].f[k] = R, grid[1][i][j].f[k] = R;
    for (int i = 0; i < 12; i++) for (int j = 0; j < 20; j++) { for (int k = 0; k < 9; k++) rows[i].c[j].f[k] = R; for (int k = 0; k < 4; k++) rows[i].c[j].tag[k] = R; }
    collide(cs, N); stream(5); mul(C, A, B, N); mul(A, A, B, N); mul(A + 1, A, B + 1, N - 1); weigh(); int s = deepen(D, N); shift(cs, N); blur(cs, N);
    double sum = s;
    for (int i = 0; i < N; i++) { for (int k = 0; k < 9; k++) sum = sum * 0.99 + cs[i].f[k] * k; sum += cs[i].flags; for (int k = 0; k < 4; k++) sum = sum * .99 + cs[i].tag[k];
        for (int a = 0; a < 4; a++) for (int b = 0; b < 4; b++) sum = sum * 0.999 + A[i].m[a][b] - C[i].m[a][b] * b;
        for (int a = 0; a < 6; a++) for (int b = 0; b < 8; b++) sum = 0.99 * sum + D[i].in[a].a[b] * D[i].in[a].k; }
    for (int i = 0; i < 16; i++) for (int j = 0; j < 16; j++) for (int k = 0; k < 9; k++) sum = sum * 0.99 + grid[0][i][j].f[k] + 2 * grid[1][i][j].f[k];
    for (int i = 0; i < 12; i++) sum += rows[i].w;
    printf("%.17g\n%d\n", sum, s);
    return 0;
}
