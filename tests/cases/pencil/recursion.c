// A function with a summary that calls itself.
#include "../../../examples/dynamic/pencil.h"
static void said(int n, double x[restrict n]) { __pencil_def(x); }
static void row(int n, double x[restrict n]) ACCESS(said);
static void row(int n, double x[restrict n])
{ if (n > 0) row(n - 1, x); }
double g;
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        row(n, a[i]);
    }
#pragma endscop
}
// compile:
// left: TW0205
// warned: TW0205 `row` calls itself
