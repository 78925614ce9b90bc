#include "numbers.h"
void wavelet(float *restrict x, float *restrict lo, float *restrict hi, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) lo[i] = x[2 * i];
    for (int i = 0; i < n; i++) hi[i] = x[2 * i + 1];
    for (int i = 0; i < n - 1; i++) hi[i] += -1.586134342f * (lo[i] + lo[i + 1]);
    hi[n - 1] += -3.172268684f * lo[n - 1];
    for (int i = 1; i < n; i++) lo[i] += -0.05298011854f * (hi[i - 1] + hi[i]);
    lo[0] += -0.1059602371f * hi[0];
    for (int i = 0; i < n - 1; i++) hi[i] += 0.8829110762f * (lo[i] + lo[i + 1]);
    hi[n - 1] += 1.765822152f * lo[n - 1];
    for (int i = 1; i < n; i++) lo[i] += 0.4435068522f * (hi[i - 1] + hi[i]);
    lo[0] += 0.8870137044f * hi[0];
    for (int i = 0; i < n; i++) { x[i] = 1.149604398f * lo[i]; x[n + i] = 0.8698644523f * hi[i]; }
#pragma endscop
}
int main(void)
{
    float x[60], l[30], h[30];
    fill_floats(x, 60);
    wavelet(x, l, h, 30);
    show("x", x, sizeof x);
}
