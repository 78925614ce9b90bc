// One stage shares tiles with no other, and sizes are not what is missing.
#include <math.h>
void scale(int n, double gain, double out[restrict n], const double in[restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = gain * in[i] + 1;
#pragma endscop
}
// compile: --shape right
// warned: no stages can share tiles in shape `right`
// messages lack: --tile-sizes
