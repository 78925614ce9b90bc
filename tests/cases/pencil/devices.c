// Devices have no functions that get arrays.
#include "../../../examples/dynamic/pencil.h"
static void row_summary(int n, double x[static const restrict n])
{
    for (int j = 0; j < n; j++) {
        __pencil_use(x[j]);
        __pencil_def(x[j]);
    }
}
static void row(int n, double x[static const restrict n]) ACCESS(row_summary);
static void row(int n, double x[static const restrict n])
{
    for (int j = 1; j < n; j++)
        x[j] += 0.5 * x[j - 1];
}
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        row(n, a[i]);
#pragma endscop
}
// compile: --target opencl
// warned: `row` is called with arrays, and is on the host only
// code lacks: __kernel
