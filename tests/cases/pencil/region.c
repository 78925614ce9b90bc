// An array of the region.
#include "../../../examples/dynamic/pencil.h"
static void said(int n, double x[restrict n]) { __pencil_def(x); }
void row(int n, double x[restrict n]) ACCESS(said);
double g;
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double t[8]; row(8, t); s[i] = t[0];
    }
#pragma endscop
}
// compile:
// left: TW0205
// warned: TW0205 is declared in the region and handed to a function
