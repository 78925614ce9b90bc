// A call that writes nothing.
#include "../../../examples/dynamic/pencil.h"
static void said(int n, double x[restrict n]) { __pencil_use(x); }
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
// warned: TW0205 writes nothing, by its access summary
