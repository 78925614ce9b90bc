// A summary that computes.
#include "../../../examples/dynamic/pencil.h"
static void said(int n, double x[restrict n]) { x[0] = 1.0; }
void row(int n, double x[restrict n]) ACCESS(said);
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
// warned: TW0205 the access summary `said` is not understood
