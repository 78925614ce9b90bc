// A bound that a called function changes is no bound of a counted loop.
#include "../../../examples/dynamic/pencil.h"
static void bump_summary(int m[restrict 1])
{
    __pencil_use(m[0]);
    __pencil_def(m[0]);
}
void bump(int m[restrict 1]) ACCESS(bump_summary);
void f(int m[restrict 1], double x[restrict 64])
{
#pragma scop
    for (int j = 0; j < m[0]; j++) {
        x[j] = 1.0;
        bump(m);
    }
#pragma endscop
}
// compile:
// left: TW0212
