#include "numbers.h"
void radix4(double *restrict x, const double *restrict w, int n)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double ar = x[2 * i], ai = x[2 * i + 1];
        double br = x[2 * (i + n)], bi = x[2 * (i + n) + 1];
        double cr = x[2 * (i + 2 * n)], ci = x[2 * (i + 2 * n) + 1];
        double dr = x[2 * (i + 3 * n)], di = x[2 * (i + 3 * n) + 1];
        double s0r = ar + cr, s0i = ai + ci, s1r = ar - cr, s1i = ai - ci;
        double s2r = br + dr, s2i = bi + di, s3r = bi - di, s3i = dr - br;
        x[2 * i] = s0r + s2r;
        x[2 * i + 1] = s0i + s2i;
        double y1r = s1r + s3r, y1i = s1i + s3i, y2r = s0r - s2r, y2i = s0i - s2i;
        double y3r = s1r - s3r, y3i = s1i - s3i;
        x[2 * (i + n)] = y1r * w[6 * i] - y1i * w[6 * i + 1];
        x[2 * (i + n) + 1] = y1r * w[6 * i + 1] + y1i * w[6 * i];
        x[2 * (i + 2 * n)] = y2r * w[6 * i + 2] - y2i * w[6 * i + 3];
        x[2 * (i + 2 * n) + 1] = y2r * w[6 * i + 3] + y2i * w[6 * i + 2];
        x[2 * (i + 3 * n)] = y3r * w[6 * i + 4] - y3i * w[6 * i + 5];
        x[2 * (i + 3 * n) + 1] = y3r * w[6 * i + 5] + y3i * w[6 * i + 4];
    }
#pragma endscop
}
int main(void)
{
    static double x[8 * 20], w[6 * 20];
    fill_doubles(x, 160); fill_doubles(w, 120);
    radix4(x, w, 20);
    show("x", x, sizeof x);
}
