// A summary that is only named.
#include "../../../examples/dynamic/pencil.h"
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
// warned: TW0205 its summary `said` is not defined in this file
