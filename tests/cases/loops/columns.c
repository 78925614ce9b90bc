// Loops that walk down columns inside of a loop whose iterations follow each other: the parallel loop around
// them, which walks along rows, runs inside, strip by strip, and vector units take it.
#include <math.h>
void f(int n, int m, double a[restrict n][m], double b[restrict m][n], double q[restrict n], double r[restrict m])
{
    int i, j, k;
    double s;
#pragma scop
    CASE
#pragma endscop
}

// case: for (k = 0; k < m; k++) { for (i = 0; i < n; i++) q[i] = a[i][k] / 2; for (j = k + 1; j < m; j++) { r[j] = 0; for (i = 0; i < n; i++) r[j] += q[i] * a[i][j]; for (i = 0; i < n; i++) a[i][j] -= q[i] * r[j]; } }
// compile:
// code contains: loop j inside the loops in it
// code contains: r[64 * c1 + c3] = r[64 * c1 + c3] + q[c2] * a[c2][64 * c1 + c3];
// code contains: a[c2][64 * c1 + c3] = a[c2][64 * c1 + c3] - q[c2] * r[64 * c1 + c3];

// A sum in a variable has one for each iteration of a strip.
// case: for (k = 0; k < m; k++) { for (i = 0; i < n; i++) q[i] = a[i][k] / 2; for (j = k + 1; j < m; j++) { s = 0; for (i = 0; i < n; i++) s += q[i] * a[i][j]; for (i = 0; i < n; i++) a[i][j] -= q[i] * s; } }
// compile:
// code contains: loop j inside the loops in it
// code contains: double (*restrict tw_s)[64] =

// What crosses rows either way has nothing to gain.
// case: for (k = 0; k < m; k++) { for (i = 0; i < n; i++) q[i] = a[i][k] / 2; for (j = k + 1; j < m; j++) for (i = 0; i < n; i++) a[i][j] -= q[i] * b[j][i]; }
// compile:
// code lacks: loop j inside the loops in it

// Its iterations depend on each other.
// case: for (k = 0; k < m; k++) { for (i = 0; i < n; i++) q[i] = a[i][k] / 2; for (j = k + 1; j < m; j++) for (i = 0; i < n; i++) a[i][j] -= q[i] * a[i][j - 1]; }
// compile:
// code lacks: loop j inside the loops in it

// Rows are walked along already.
// case: for (k = 0; k < n; k++) for (i = k + 1; i < n; i++) { for (j = 0; j < m; j++) a[i][j] -= q[i] * a[k][j]; q[i] = a[i][0]; }
// compile:
// code lacks: inside the loops in it

// Where the outermost loop may be turned, too, tiles are as good; how much there has to be to do is what was predicted.
// case: for (j = 0; j < m; j++) { r[j] = 0; for (i = 0; i < n; i++) r[j] += q[i] * a[i][j]; }
// compile:
// code contains: r: parallelogram tiles of 256 x 32
// code contains: (double)m * (double)n >= 4096
// code contains: if ((double)m * n >= 67000)
