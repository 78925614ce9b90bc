// A shape that a region cannot have is not left out without a word.
void blur(int n, float out[restrict n], const float in[restrict n + 2])
{
    float h[n + 1];
#pragma scop
    for (int i = 0; i < n + 1; i++)
        h[i] = in[i] + in[i + 1];
    for (int i = 0; i < n; i++)
        out[i] = h[i] + h[i + 1];
#pragma endscop
}
// compile: --shape scalene --tile-sizes 0
// warned: no stages can share tiles in shape `scalene`
// warned: give a size in place of 0
// compile: --shape scalene --tile-sizes 8
// warned: nothing
// compile: --shape none
// warned: nothing
// compile:
// warned: nothing
