// A function without a summary.
#include "../../../examples/dynamic/pencil.h"
double h(double);
double g;
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        s[i] = h(s[i]);
    }
#pragma endscop
}
// compile:
// left: TW0205
// warned: TW0205 `h` may have side effects
