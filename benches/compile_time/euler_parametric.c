/* One-dimensional MUSCL scheme with slopes, flat arrays and parametric sizes. */
#include "numbers.h"
static double minmod(double a, double b) { return a * b <= 0 ? 0 : fabs(a) < fabs(b) ? a : b; }
void muscl(int n, double dt, double *restrict r, double *restrict m, double *restrict e, double *restrict sr, double *restrict sm,
           double *restrict se, double *restrict fr, double *restrict fm, double *restrict fe)
{
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        sr[i] = minmod(r[i] - r[i - 1], r[i + 1] - r[i]);
        sm[i] = minmod(m[i] - m[i - 1], m[i + 1] - m[i]);
        se[i] = minmod(e[i] - e[i - 1], e[i + 1] - e[i]);
    }
    sr[0] = 0; sm[0] = 0; se[0] = 0;
    sr[n - 1] = 0; sm[n - 1] = 0; se[n - 1] = 0;
    for (int i = 0; i < n - 1; i++) {
        double rl = r[i] + 0.5 * sr[i], rr = r[i + 1] - 0.5 * sr[i + 1];
        double ml = m[i] + 0.5 * sm[i], mr = m[i + 1] - 0.5 * sm[i + 1];
        double el = e[i] + 0.5 * se[i], er = e[i + 1] - 0.5 * se[i + 1];
        double ul = ml / rl, ur = mr / rr;
        double pl = 0.4 * (el - 0.5 * ml * ul), pr = 0.4 * (er - 0.5 * mr * ur);
        double cl = sqrt(fabs(1.4 * pl / rl)), cr = sqrt(fabs(1.4 * pr / rr));
        double s = fmax(fabs(ul) + cl, fabs(ur) + cr);
        fr[i] = 0.5 * (ml + mr) - 0.5 * s * (rr - rl);
        fm[i] = 0.5 * (ml * ul + pl + mr * ur + pr) - 0.5 * s * (mr - ml);
        fe[i] = 0.5 * (ul * (el + pl) + ur * (er + pr)) - 0.5 * s * (er - el);
    }
    for (int i = 1; i < n - 1; i++) {
        r[i] -= dt * (fr[i] - fr[i - 1]);
        m[i] -= dt * (fm[i] - fm[i - 1]);
        e[i] -= dt * (fe[i] - fe[i - 1]);
    }
    r[0] = r[1]; m[0] = m[1]; e[0] = e[1];
    r[n - 1] = r[n - 2]; m[n - 1] = m[n - 2]; e[n - 1] = e[n - 2];
#pragma endscop
}
static double a[9][50];
int main(void)
{
    fill_doubles(&a[0][0], 450);
    muscl(50, 0.01, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    show("a", a, sizeof a);
}
