// A function that reads what the region writes.
#include "../../../examples/dynamic/pencil.h"
__attribute__((pure)) double h(double);
double g;
void f(int n, double a[restrict n][n], double s[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        g = s[i]; s[i] = h(s[i]);
    }
#pragma endscop
}
// compile:
// left: TW0205
// warned: TW0205 is declared `pure`, and may read `g`, which the region writes
