// More dimensions than the summary sees.
#include "../../../examples/dynamic/pencil.h"
static void said(int n, double x[restrict n]) { __pencil_def(x); }
void row(int n, double x[restrict n]) ACCESS(said);
double g;
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        row(n, a);
    }
#pragma endscop
}
// compile:
// left: TW0205
// warned: TW0205 has 2 dimension(s), and the summary sees 1
