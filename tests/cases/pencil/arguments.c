// A summary with other parameters.
#include "../../../examples/dynamic/pencil.h"
static void said(double x[restrict 8]) { __pencil_def(x); }
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
// warned: TW0205 has 1 parameters, the call 2 arguments
