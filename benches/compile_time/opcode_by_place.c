#include "numbers.h"
void program(double *restrict r, const double *restrict c, int n)
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int pc = 0; pc < 12; pc++) {
            if (pc == 0) r[8 * k] = c[k];
            else if (pc == 1) r[8 * k + 1] = r[8 * k] * 2;
            else if (pc == 2) r[8 * k + 2] = r[8 * k + 1] + c[k];
            else if (pc == 3) r[8 * k + 3] = r[8 * k] - r[8 * k + 2];
            else if (pc == 4) r[8 * k + 4] = r[8 * k + 3] * r[8 * k + 3];
            else if (pc < 8) r[8 * k + pc] = r[8 * k + pc - 1] + pc;
            else r[8 * k + pc - 8] += r[8 * k + 7];
        }
#pragma endscop
}
int main(void)
{
    double r[8 * 9], c[9];
    fill_doubles(c, 9);
    program(r, c, 9);
    show("r", r, sizeof r);
}
